package text

import "testing"

// TestMeet says which queries must share a term with which texts, and which
// must not.
func TestMeet(t *testing.T) {
	for _, c := range []struct {
		doc, query string
		want       bool
	}{
		// Accents, width, case, apostrophes.
		{"We met in a café.", "cafe", true},
		{"We met in a cafe.", "café", true},
		{"We met in a café.", "cafés", true},
		{"He wrote a résumé", "resumes", true},
		{"cafe\u0301 in two runes", "café", true},
		{"Ｔｏｋｙｏ　２０２０", "tokyo", true},
		{"Ｔｏｋｙｏ　２０２０", "2020", true},
		{"Caroline’s dog", "Caroline", true},
		{"the dogs' bowls", "dog", true},
		{"the ﬁle", "file", true},
		{"Straße", "strasse", true},
		{"Søren lives here", "soren", true},
		{"Łódź", "lodz", true},
		{"co\u00adoper\u00adate", "cooperate", true},
		{"O’Brien called", "O'Brien", true},
		{"O'Brien called", "obrien", true},
		{"O'Brien called", "Brien", true},
		{"She’ll sing, Sarah’ll dance", "sarah", true},

		// Stems.
		{"She was running in races", "run a race", true},
		{"adoption agencies", "agency", true},
		{"cats and dogs", "a bird", false},

		// Stop words are no common ground.
		{"What is it that they have?", "is that what we have", false},
		{"I don't know", "she isn't", false},

		// Numbers.
		{"it cost 1,000 euros", "1000", true},
		{"it cost 1000 euros", "1,000", true},
		{"it cost $250", "250 dollars", true},
		{"it cost $250", "$250", true},
		{"it cost $1,250.50", "1250.50", true},
		{"für 1.250,00 €", "1,250.00", true},
		{"down by 40%", "40", true},
		{"took 250ms", "250 ms", true},
		{"took 250 ms", "250ms", true},
		{"pi is 3.14", "3.14", true},
		{"pi is 3.14", "14", false},
		{"on 2023-05-08", "2023-05-08", true},
		{"on 2023-05-08", "2023", true},
		{"on 2023-05-08", "May 8", true},
		{"on 08.05.2023", "2023", true},
		{"2023-05-08T10:30:00Z", "2023-05-08", true},
		{"in 2019-2021", "2021", true},
		{"at 3:30pm", "3:30", true},
		{"at 03:30", "3:30", true},
		{"version v1.2.3", "1.2.3", true},
		{"version 1.2.3", "v1.2.3", true},
		{"the 8th of May", "8 May", true},
		{"room 12", "room 123", true},
		{"12", "123", false},
		{"٢٠٢٣", "2023", true},
		{"२०२३", "2023", true},

		// Addresses and identifiers.
		{"write to a.b@example.com", "a.b@example.com", true},
		{"write to a.b@example.com", "example.com", true},
		{"write to jo+list@example.com.", "jo+list@example.com", true},
		{"see https://www.example.com/docs/intro.", "example.com", true},
		{"see https://www.example.com/docs/intro.", "http://example.com/docs/intro/", true},
		{"see https://www.example.com/docs/intro.", "intro", true},
		{"see example.com/docs?q=1", "https://example.com/docs?q=1", true},
		{"@bob_smith said", "bob", true},
		{"@bob said", "@bob", true},
		{"@bob said", "Bob", true},
		{"#golang", "golang", true},
		{"edit src/main.go now", "main.go", true},
		{"edit src/main.go now", "src/main.go", true},
		{`C:\Users\anna\notes.txt`, "notes", true},
		{"call max_retry_count", "retry", true},
		{"call getUserName", "user name", true},
		{"call getUserName", "getusername", true},
		{"HTTPServer", "http server", true},
		{"the PDFs", "pdf", true},
		{"well-known facts", "known", true},
		{"an e-mail", "email", true},
		{"an email", "e-mail", true},
		{"on YouTube", "youtube", true},
		{"os.path.join", "path", true},
		{"written in C++", "C++", true},
		{"written in C++", "c++ code", true},
		{"written in C#", "C#", true},
		{"written in C#", "C++", true}, // by the part c only
		{"AT&T paid", "AT&T", true},
		{"in the U.S.", "US", true},
		{"in the U.S.A.", "USA", true},
		{"**_emphasis_**", "emphasis", true},
		{"COVID-19", "covid19", true},
		{"gpt-3.5-turbo", "3.5", true},

		// Chinese.
		{"我在上海吃了北京烤鸭", "烤鸭", true},
		{"我在上海吃了北京烤鸭", "鸭", true},
		{"你知道多少", "价格是多少", false},
		{"什么时候走", "什么颜色", false},
		{"我们的", "你们的", false},
		{"他在哪里", "她在哪里", false},
		{"我用Google搜索", "google", true},
		{"共１２３元", "123", true},

		// Japanese.
		{"東京タワー", "タワー", true},
		{"スマートフォン", "フォン", true},
		{"ﾀﾜｰに行く", "タワー", true},
		{"りんごを食べた", "りんご", true},
		{"食べました", "食べる", true},
		{"本です", "猫です", false},

		// Korean.
		{"학교에서 만났다", "학교", true},
		{"책을 읽었다", "책", true},
		{"Google에서 일한다", "google", true},
		{"집에서 쉰다", "밖에서", false},

		// Scripts without spaces.
		{"ฉันชอบกินแมวดำ", "แมว", true},
		{"ฉันชอบกินแมวดำ", "ชอบ", true},
		{"ខ្ញុំចូលចិត្តឆ្មា", "ឆ្មា", true},
		{"ကျွန်တော်ကြောင်ချစ်တယ်", "ကြောင်", true},

		// Other languages.
		{"Wir haben alte Häuser in der Stadt gesehen", "Ich möchte ein Haus in der Stadt kaufen", true},
		{"Wir haben die alten Häuser gesehen", "hauser", true},
		{"l'homme que j'ai vu", "homme", true},
		{"les élèves de l'école", "école", true},
		{"Las canciones que me gustan", "¿Cuál es la canción que más te gusta?", true},
		{"Она купила книги", "книга", true},
		{"чёрный чай", "черный", true},
		{"المكتبة الكبيرة", "مكتبة", true},
		{"كِتَابٌ", "كتاب", true},
		{"मैंने किताबें खरीदीं", "किताब", true},
		{"Οδός Ερμού", "οδος", true},
		{"İstanbul'da yaşıyor", "istanbul", true},
		{"Việt Nam có phở", "pho", true},
	} {
		if got := share(c.doc, c.query); got != c.want {
			t.Errorf("%q and %q share a term: %v, want %v\n\t%v\n\t%v", c.doc, c.query, got, c.want, marks(c.doc), marks(c.query))
		}
	}
}

func share(a, b string) bool {
	in := map[string]bool{}
	for _, t := range Terms(nil, a) {
		in[t.Term] = true
	}
	for _, t := range Terms(nil, b) {
		if in[t.Term] {
			return true
		}
	}
	return false
}

func marks(s string) (m []string) {
	for _, t := range Terms(nil, s) {
		m = append(m, mark(t))
	}
	return m
}
