package when

import (
	"strings"
	"testing"
)

func BenchmarkFind(b *testing.B) {
	const prose = "I went to the park with my dog and 3 friends last Saturday, in 2 cars, and we may go again when the sun is out. "
	const chinese = "我昨天和三个朋友去了公园，下次还想再去一趟，他们也很高兴。"
	cut := func(s string, characters int) string {
		return string([]rune(strings.Repeat(s, characters/10))[:characters])
	}
	for _, c := range []struct{ name, text string }{
		{"question", "Where did Caroline say she went with her kids the week before 8 May 2023?"},
		{"english=300", cut(prose, 300)},
		{"chinese=300", cut(chinese, 300)},
		{"dense=300", cut("yesterday after 3 pm or on May 8, 2023; ", 300)},
		{"dense-chinese=300", cut("去年三月五号下午三点到五点，从周一到周五；", 300)},
		{"english=10000", cut(prose, 10000)},
		{"chinese=10000", cut(chinese, 10000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			from := at(b, anchor)
			for b.Loop() {
				Find(c.text, from)
			}
		})
	}
}
