package when

import (
	"strings"
	"unicode/utf8"
)

const numerals = "零〇一二三四五六七八九十百千两兩"

func isNumeral(r rune) bool { return r >= utf8.RuneSelf && strings.ContainsRune(numerals, r) }

// chineseNumber reads "十二", "二十三" and "一百零五" as what they say, and
// "二〇二三" digit by digit. A number that is neither has n = -1.
func chineseNumber(text string, at int) (end int, count uint8, n int) {
	sum, digit, pending, scale := 0, 0, false, 10000
	for end = at; end < len(text); {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isNumeral(r) {
			break
		}
		end += size
		if count < 10 {
			count++
		}
		power := powerOf(r)
		switch {
		case power == 0:
			digit, pending = digit*10+chineseDigit(r), true
			if count == 10 {
				digit = 0
			}
		case power >= scale || digit > 9 || !pending && power > 10:
			scale, sum = 0, -1 // 十十, 二三十, 百
		case sum >= 0:
			if !pending {
				digit = 1
			}
			sum, digit, pending, scale = sum+digit*power, 0, false, power
		}
	}
	switch {
	case count >= 10 || sum < 0 || scale < 10000 && digit > 9:
		return end, count, -1
	case scale < 10000 && count > 4: // no year, so that its length says nothing
		count = 4
	}
	return end, count, sum + digit
}

func powerOf(r rune) int {
	switch r {
	case '十':
		return 10
	case '百':
		return 100
	case '千':
		return 1000
	}
	return 0
}

// chineseDigit gives 0 to 9, or -1 for a power of ten.
func chineseDigit(r rune) int {
	switch r {
	case '零', '〇':
		return 0
	case '两', '兩':
		return 2
	}
	at := strings.IndexRune("一二三四五六七八九", r)
	if at < 0 {
		return -1
	}
	return at/len("一") + 1
}
