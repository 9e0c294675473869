package text_test

import (
	"fmt"

	"engram/text"
)

func ExampleTerms() {
	for _, t := range text.Terms(nil, "The cafés of O’Brien, 北京") {
		fmt.Println(t.Pos, t.Term, t.Alt, t.Upper)
	}
	// Output:
	// 1 café false false
	// 1 cafe true false
	// 3 o'brien false true
	// 3 obrien true true
	// 3 brien true true
	// 4 北 false false
	// 4 北京 false false
	// 5 京 false false
}

func ExampleParts() {
	s := "It rained all day. We stayed at home. Then the sun came out."
	for _, p := range text.Parts(s, 8) {
		fmt.Println(s[p.Start:p.End])
	}
	// Output:
	// It rained all day. We stayed at home.
	// Then the sun came out.
}
