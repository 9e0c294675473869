package when

// sides are what lies on one side of a date, and dates that are said to be rough.
var sides = []pattern{
	// since 2019, until Friday, by next Tuesday
	row("SIDE the? WHEN", openSide),
	row("<!came|come|comes|coming|stop|stops|stopped|drop|drops|dropped|went|go|pass|passed|stand|stood UNTIL the? WHEN", openSide),
	row("from WHEN on|onward|onwards|forward|forwards", side(Since)),
	row("starting|beginning from|on|in? WHEN", side(Since)),
	row("as_of WHEN", asOf),
	row("from WHEN to|until|till|through the? now|today|present", side(Since)),

	// 5月8日之后, 从去年起, 到周五为止, 截至
	row("DATE 之后|以后", side(After)),
	row("DATE 后 !来|面|天|者|边|台|续|悔|期", side(After)),
	row("在? DATE 之前|以前", side(Before)),
	row("在? DATE 前 !来|面|天|者|边|台|端|往|后|夕|年|日|任|几", side(Before)),
	row("自从|自|从 DATE 以来|开始|起|以后|之后|至今 !床|飞|码|诉|身|因|点|名", side(Since)),
	row("自从 DATE", side(Since)),
	row("DATE 以来|至今|起 !床|来|飞|码|初|诉|身|因|点|名", side(Since)),
	row("从? DATE 到|至 现在|今|目前|如今", side(Since)),
	row("直到|到|至|截至|截止到|截止至|截止|截至到 DATE 为止|止", side(Until)),
	row("直到 DATE", side(Until)),
	row("截至|截止到|截止至|截止 DATE 之前|前?", side(By)),
	row("最晚|最迟|不晚于|不迟于 DATE 之前|前?", side(By)),
	row("DATE 为止", side(Until)),

	// around Christmas, 5月8日左右
	row("around|circa|roughly|approximately DATE", rough),
	row("大约|大概|差不多 在? DATE", rough),
	row("<!租|合|契|条|公|预|签|婚|大|节|邀|赴 约 在? DATE", rough),
	row("DATE 左右|前后|上下", rough),
}

func side(on Relation) func(*reading) (span, bool) {
	return func(r *reading) (span, bool) { return r.date.open(on), r.date.relation == During }
}

// asOf is since a date in a sentence of the future ("as of July prices will
// rise"), else what is so by then.
func asOf(r *reading) (span, bool) {
	if r.scan.tense(r.at) == future {
		return side(Since)(r)
	}
	return side(By)(r)
}

func openSide(r *reading) (span, bool) { return side(r.side)(r) }

func rough(r *reading) (span, bool) { return r.date.roughly(), true }
