package when

// never are no times although they hold the words of some: they hide them.
var never = []pattern{
	row("every|each|any|some|most|other|one|a WEEKDAY PART?", nothing),
	row("every|each|any|some|most|one|a HOLIDAY PART?", nothing),
	row("every|each DATE", nothing),
	row("every|each WEEKDAY ,? and|or? DATE", nothing),
	row("every|each WEEKDAY ,? WEEKDAY ,? and|or? DATE", nothing),
	row("in|of today ' s", nothing),
	row("every|each|any MONTH", nothing),
	row("every|each|any SEASON", nothing),
	row("black|good|holy|ash|palm|shrove|cyber|fat|ruby|super|bloody|giving WEEKDAY", nothing),
	row("merry|happy HOLIDAY", nothing),
	row("usa today", nothing),
	row("五 月 天 !气", nothing),
	row("每个|每|逢|各 ZWEEK ZWD 的? ZPART?", nothing),
	row("每年 的? MM 月 DAY 日|号", nothing),
	row("每年 的? MM 月", nothing),
	row("每年 的? ZHOLIDAY", nothing),
	row("每个月|每月 的? DAY 日|号", nothing),
	row("每个月|每月 的? 月初|月底|月末", nothing),
	row("ZHOLIDAY 快乐", nothing),
	row("黑色 ZWEEK ZWD", nothing),
}

func nothing(*reading) (span, bool) { return span{never: true}, true }
