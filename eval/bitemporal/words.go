package bitemporal

// This file is what people of generated worlds talk about and how they say it.
// "{s}" is the subject, "{v}" the value, "{w}" another value, "{c}" a city, "{when}", "{from}"
// and "{to}" are dates; the names of saying stand for the sayings of a topic.

// saying is how one topic is put into words.
type saying struct{ is, begin, plan, stop, was string }

// topic is a predicate that lives and projects have.
type topic struct {
	predicate string
	kind      plurality
	saying
	values  []string
	byTools bool // the tool's own report is believed above what people say
}

// language is all that a world of one language is made of.
type language struct {
	user, friends, projects []topic
	friendNames             []string
	projectNames            []string
	nicknames               map[string]string   // of subjects and values
	frames                  map[string][]string // by how a telling is made
	chatter                 []string
	fillers                 []string // of {v} in chatter
	offsets                 []int16
	dates                   dateWords
	questions               map[string]string // what held on {date}, by predicate; of the speaker "user " before it
	earlier                 string            // goes before a question of what was known by {date}
}

func sayings(is, begin, plan, stop, was string) saying { return saying{is, begin, plan, stop, was} }

var languages = map[Lang]*language{English: &english, Chinese: &chinese}

var englishCities = []string{"Paris", "Berlin", "Lisbon", "New York", "Oslo", "Kyoto", "Toronto", "Seville", "Cape Town"}

var english = language{
	user: []topic{
		{predicate: "lives_in", kind: single, values: englishCities, saying: sayings("I live in {v}", "I moved to {v}", "I am moving to {v}", "I no longer live in {v}", "I lived in {v}")},
		{predicate: "works_at", kind: single, values: []string{"Acme", "Globex", "Initech", "the city library", "Umbra Labs", "Hooli"}, saying: sayings("I work at {v}", "I started at {v}", "I am joining {v}", "I no longer work at {v}", "I worked at {v}")},
		{predicate: "job_title", kind: single, values: []string{"data analyst", "team lead", "head chef", "staff engineer", "product manager"}, saying: sayings("my job title is {v}", "I was made {v}", "I will be made {v}", "I am no longer {v}", "I was {v}")},
		{predicate: "phone_model", kind: single, values: []string{"Pixel 8", "iPhone 15", "Fairphone 5", "Galaxy S24"}, saying: sayings("my phone is the {v}", "I switched to the {v}", "I am getting the {v}", "I don't use the {v} any more", "I had the {v}")},
		{predicate: "favorite_band", kind: single, values: []string{"the Herons", "Night Ferry", "Paper Moons", "Kilo Kilo"}, saying: sayings("my favourite band is {v}", "my favourite band became {v}", "", "{v} is no longer my favourite band", "my favourite band was {v}")},
		{predicate: "likes", kind: plural, values: []string{"jazz", "spicy food", "hiking", "black coffee", "crime novels"}, saying: sayings("I like {v}", "I got to like {v}", "", "I don't like {v} any more", "I used to like {v}")},
		{predicate: "allergic_to", kind: plural, values: []string{"peanuts", "walnuts", "shellfish", "pollen", "cats"}, saying: sayings("I am allergic to {v}", "I became allergic to {v}", "", "I am no longer allergic to {v}", "I was allergic to {v}")},
		{predicate: "pet", kind: plural, values: []string{"a cat called Momo", "a dog called Rex", "a parrot called Olga", "two goldfish"}, saying: sayings("I have {v}", "I got {v}", "I am getting {v}", "I no longer have {v}", "I had {v}")},
		{predicate: "speaks", kind: plural, values: []string{"Spanish", "Mandarin", "Norwegian", "Arabic"}, saying: sayings("I speak {v}", "I learned {v}", "I am going to learn {v}", "I don't speak {v} any more", "I spoke {v}")},
		{predicate: "collects", kind: plural, values: []string{"stamps", "old maps", "vinyl", "keyboards"}, saying: sayings("I collect {v}", "I started to collect {v}", "I am going to collect {v}", "I no longer collect {v}", "I collected {v}")},
		{predicate: "visited", kind: event, values: englishCities, saying: sayings("I visited {v}", "I visited {v}", "I am going to visit {v}", "", "I was in {v}")},
		{predicate: "attended", kind: event, values: []string{"GopherCon", "the book fair", "my cousin's wedding", "the data summit"}, saying: sayings("I attended {v}", "I attended {v}", "I will attend {v}", "", "I was at {v}")},
		{predicate: "bought", kind: event, values: []string{"a canoe", "a standing desk", "a piano", "a tent"}, saying: sayings("I bought {v}", "I bought {v}", "I am going to buy {v}", "", "I was shopping for {v}")},
	},
	friends: []topic{
		{predicate: "lives_in", kind: single, values: englishCities, saying: sayings("{s} lives in {v}", "{s} moved to {v}", "{s} is moving to {v}", "{s} no longer lives in {v}", "{s} lived in {v}")},
		{predicate: "employer", kind: single, values: []string{"Acme", "Globex", "Vandelay", "the hospital", "Stark Bakery"}, saying: sayings("{s} works for {v}", "{s} started to work for {v}", "{s} is going to work for {v}", "{s} no longer works for {v}", "{s} worked for {v}")},
		{predicate: "interested_in", kind: plural, values: []string{"chess", "gardening", "sailing", "pottery"}, saying: sayings("{s} is interested in {v}", "{s} became interested in {v}", "", "{s} is no longer interested in {v}", "{s} was interested in {v}")},
		{predicate: "met", kind: event, values: []string{"the mayor", "an old teacher", "a publisher"}, saying: sayings("{s} met {v}", "{s} met {v}", "{s} is going to meet {v}", "", "{s} was with {v}")},
	},
	projects: []topic{
		{predicate: "deadline", kind: single, values: []string{"June 30", "July 15", "September 1", "the end of the year", "March 31"}, saying: sayings("the deadline of {s} is {v}", "the deadline of {s} moved to {v}", "the deadline of {s} will move to {v}", "{s} no longer has the deadline {v}", "the deadline of {s} was {v}")},
		{predicate: "status", kind: single, values: []string{"planning", "active", "on hold", "in review"}, saying: sayings("{s} is in the state {v}", "{s} went to the state {v}", "{s} will go to the state {v}", "{s} is no longer in the state {v}", "{s} was in the state {v}")},
		{predicate: "framework", kind: single, values: []string{"React", "Vue", "Svelte", "Django"}, saying: sayings("{s} uses {v}", "{s} switched to {v}", "{s} is going to switch to {v}", "{s} no longer uses {v}", "{s} used {v}")},
		{predicate: "database", kind: single, values: []string{"PostgreSQL", "SQLite", "MongoDB", "MySQL"}, saying: sayings("{s} stores its data in {v}", "{s} migrated to {v}", "{s} is going to migrate to {v}", "{s} no longer stores its data in {v}", "{s} stored its data in {v}")},
		{predicate: "deployment", kind: single, values: []string{"Kubernetes", "a single VM", "Fly.io", "bare metal"}, saying: sayings("{s} is deployed on {v}", "{s} was moved to {v}", "{s} will be moved to {v}", "{s} is no longer deployed on {v}", "{s} was deployed on {v}")},
		{predicate: "lead", kind: single, values: []string{"Priya", "Tom", "Chen", "Fatima"}, saying: sayings("{v} leads {s}", "{v} took over {s}", "{v} will take over {s}", "{v} no longer leads {s}", "{v} led {s}")},
		{predicate: "build_status", kind: single, byTools: true, values: []string{"passing", "failing", "flaky"}, saying: sayings("the build of {s} is {v}", "the build of {s} went {v}", "", "the build of {s} is no longer {v}", "the build of {s} was {v}")},
		{predicate: "requires", kind: plural, values: []string{"two reviewers", "a design document", "integration tests", "a licence check"}, saying: sayings("{s} requires {v}", "{s} began to require {v}", "{s} will require {v}", "{s} no longer requires {v}", "{s} required {v}")},
		{predicate: "released", kind: event, values: []string{"version 1.0", "version 1.1", "version 2.0", "the beta"}, saying: sayings("{s} released {v}", "{s} released {v}", "{s} will release {v}", "", "{s} was rolling out {v}")},
	},
	friendNames:  []string{"Anna", "Marcus", "Yuki", "Leila", "Tobias", "Ines", "Omar", "Greta"},
	projectNames: []string{"Falcon", "Lighthouse", "Bramble", "Quartz", "Orchid", "Juniper"},
	nicknames: map[string]string{
		"New York": "the Big Apple", "Anna": "Annie", "Marcus": "Marc", "Falcon": "the bird project", "PostgreSQL": "Postgres", "Kubernetes": "k8s",
	},
	frames: map[string][]string{
		"change":       {"{begin}.", "Guess what: {begin}!", "By the way, {is} now.", "Just so you know, {is} these days.", "Update: {begin}.", "Something changed: {begin}."},
		"change_dated": {"{begin} {when}.", "{when}, {begin}.", "I forgot to tell you: {begin} {when}.", "News, if you can call it that: {begin} {when}.", "Oh, and {begin} {when}.", "Please remember that {begin} {when}."},
		"again":        {"As I said, {is}.", "{is}, remember?", "Still true: {is}.", "Like I mentioned, {is}.", "In case you forgot: {is}."},
		"plan":         {"{when}, {plan}.", "It's decided: {plan} {when}.", "The plan is set, {plan} {when}.", "If nothing comes up, {plan} {when}.", "Put this down: {plan} {when}."},
		"end":          {"{stop}.", "Note that {stop}.", "That's over: {stop}.", "So yeah, {stop}.", "For your information, {stop}."},
		"end_dated":    {"As of {date}, {stop}.", "{stop}; that ended {when}.", "It ended {when}: {stop}.", "{stop}, not since {date}.", "By the way, {stop}, it stopped {when}."},
		"end_plan":     {"From {date} on, {stop}.", "It will end {when}: {stop} from then on.", "It's decided: as of {date}, {stop}.", "Put this down: from {date} on {stop}.", "Starting {date}, {stop}."},
		"correct":      {"Actually, {is}, not {w}.", "I misspoke: {is}. Not {w}.", "Sorry, I meant {v}, not {w}. {is}.", "Correction: {is}. Forget what I said about {w}.", "It was never {w}; {is}."},
		"redate":       {"Actually, {begin} {when}. I had the date wrong.", "Correction of the date: {begin} {when}.", "I mixed up the dates, {begin} {when}.", "Wrong date, sorry: {begin} {when}.", "I looked it up: {begin} {when}."},
		"late":         {"From {from} to {to}, {was}.", "{was} from {from} to {to}.", "Did I ever tell you? Between {from} and {to}, {was}.", "I never mentioned it, but {was} from {from} until {to}.", "Way back, from {from} to {to}, {was}."},
		"back":         {"Never mind what I said about {w}, nothing changed.", "Scratch that about {w}, it never happened.", "Forget {w}, we leave things as they were.", "That with {w} fell through, everything stays the same.", "It's off, no {w} after all."},
		"back_end":     {"Never mind, {is} after all.", "Scratch that, {is} as before.", "False alarm: {is}, nothing ended.", "I take it back, {is} still.", "Forget that, {is}, same as ever."},
		"back_back":    {"It is on again: {begin}, as I first said.", "What I took back was right after all: {is}.", "Forget that I called it off: {is}.", "So it did happen: {begin}.", "I was wrong to take that back, {is}."},
		"unsure":       {"Either {is} or {w}, I really forget.", "{is}. Or was it {w}?", "It's {v} or {w}, ask me later. {is}, maybe.", "Half of me says {is}, the other half says {w}.", "{is}, unless it is {w}."},
		"rumour":       {"A page I found says: \"{is}\".", "Search result: \"{is}\".", "The notes of the meeting say \"{is}\".", "It is written there: \"{is}\".", "A listing has \"{is}\"."},
		"rumour_end":   {"A page I found says: \"{stop}\".", "Search result: \"{stop}\".", "The notes of the meeting say \"{stop}\".", "It is written there: \"{stop}\".", "A listing has \"{stop}\"."},
	},
	chatter: []string{
		"Can you draft a short mail about the budget?", "What's the weather like in {c}?", "Would you move to {c} if you were me?", "My neighbour moved to {c}, can you imagine?",
		"I read a long article about {v} today.", "How do I sort a slice in Go?", "Remind me what we talked about.", "Thanks, that helps.", "Ha, good one.",
		"If I ever got a second dog I would call it {v}.", "My colleague used to live in {c}.", "Somebody on the train talked about {v} the whole time.", "Is {c} expensive?",
		"Let's get back to the presentation.", "I slept badly.", "Could you summarise that in two lines?", "In the film they all move to {c}.", "Let me think about it.",
		"What would happen if we used {v} instead?", "I wonder who invented {v}.", "They say {c} is nice in spring.", "Tell me a joke about {v}.", "Do you know {v}?", "OK, next question.",
	},
	fillers: []string{"Oslo", "Lisbon", "Paris", "React", "jazz", "Kubernetes", "Biscuit", "peanuts", "sailing", "Vienna"},
	offsets: []int16{0, -300, -480, 60, 120, 330},
	dates:   englishDates{},
	questions: map[string]string{
		"user lives_in": "Where did I live on {date}?", "user works_at": "Where did I work on {date}?", "user job_title": "What was my job title on {date}?",
		"user phone_model": "Which phone did I have on {date}?", "user favorite_band": "What was my favourite band on {date}?", "user likes": "What did I like on {date}?",
		"user allergic_to": "What was I allergic to on {date}?", "user pet": "Which pets did I have on {date}?", "user speaks": "Which languages did I speak on {date}?",
		"user collects": "What did I collect on {date}?", "user visited": "Where was I on a visit on {date}?", "user attended": "What did I attend on {date}?", "user bought": "What did I buy on {date}?",
		"lives_in": "Where did {s} live on {date}?", "employer": "Whom did {s} work for on {date}?", "interested_in": "What was {s} interested in on {date}?", "met": "Whom did {s} meet on {date}?",
		"deadline": "What was the deadline of {s} as of {date}?", "status": "In which state was {s} on {date}?", "framework": "Which framework did {s} use on {date}?",
		"database": "Where did {s} store its data on {date}?", "deployment": "Where was {s} deployed on {date}?", "lead": "Who led {s} on {date}?",
		"build_status": "How was the build of {s} on {date}?", "requires": "What did {s} require on {date}?", "released": "What did {s} release on {date}?",
	},
	earlier: "Going by what was known on {date}: ",
}

var chineseCities = []string{"北京", "上海", "杭州", "成都", "广州", "西安", "大理", "东京", "青岛"}

var chinese = language{
	user: []topic{
		{predicate: "住在", kind: single, values: chineseCities, saying: sayings("我住在{v}", "我搬到了{v}", "我要搬到{v}", "我不再住在{v}了", "我住在{v}")},
		{predicate: "工作单位", kind: single, values: []string{"字节", "市图书馆", "云海科技", "人民医院", "星河出版社"}, saying: sayings("我在{v}上班", "我入职了{v}", "我要去{v}上班", "我不在{v}上班了", "我在{v}工作")},
		{predicate: "职位", kind: single, values: []string{"产品经理", "数据分析师", "组长", "主厨", "架构师"}, saying: sayings("我的职位是{v}", "我当上了{v}", "我会当{v}", "我不再是{v}了", "我是{v}")},
		{predicate: "phone_model", kind: single, values: []string{"小米14", "华为Mate60", "iPhone 15", "一加12"}, saying: sayings("我用的手机是{v}", "我换了{v}", "我要换成{v}", "我不用{v}了", "我用过{v}")},
		{predicate: "favorite_band", kind: single, values: []string{"夜航船", "纸月亮", "苍鹭乐队", "回声"}, saying: sayings("我最喜欢的乐队是{v}", "我最喜欢的乐队变成了{v}", "", "{v}不再是我最喜欢的乐队", "我最喜欢的乐队是{v}")},
		{predicate: "喜欢", kind: plural, values: []string{"爵士乐", "辣的", "爬山", "黑咖啡", "推理小说"}, saying: sayings("我喜欢{v}", "我喜欢上了{v}", "", "我不喜欢{v}了", "我喜欢过{v}")},
		{predicate: "过敏", kind: plural, values: []string{"花生", "核桃", "海鲜", "花粉", "猫毛"}, saying: sayings("我对{v}过敏", "我开始对{v}过敏", "", "我对{v}不过敏了", "我对{v}过敏")},
		{predicate: "宠物", kind: plural, values: []string{"一只叫毛毛的猫", "一只叫旺财的狗", "一只鹦鹉", "两条金鱼"}, saying: sayings("我养着{v}", "我养了{v}", "我要养{v}", "我不养{v}了", "我养过{v}")},
		{predicate: "会说", kind: plural, values: []string{"西班牙语", "日语", "挪威语", "粤语"}, saying: sayings("我会说{v}", "我学会了{v}", "我要学{v}", "我不会说{v}了", "我说{v}")},
		{predicate: "收藏", kind: plural, values: []string{"邮票", "旧地图", "黑胶唱片", "键盘"}, saying: sayings("我收藏{v}", "我开始收藏{v}", "我要开始收藏{v}", "我不再收藏{v}了", "我收藏过{v}")},
		{predicate: "去过", kind: event, values: chineseCities, saying: sayings("我去了{v}", "我去了{v}", "我要去{v}玩", "", "我在{v}旅行")},
		{predicate: "参加", kind: event, values: []string{"书展", "表哥的婚礼", "数据峰会", "半程马拉松"}, saying: sayings("我参加了{v}", "我参加了{v}", "我要参加{v}", "", "我在参加{v}")},
		{predicate: "买了", kind: event, values: []string{"一架钢琴", "一张升降桌", "一顶帐篷", "一条独木舟"}, saying: sayings("我买了{v}", "我买了{v}", "我要买{v}", "", "我在选购{v}")},
	},
	friends: []topic{
		{predicate: "住在", kind: single, values: chineseCities, saying: sayings("{s}住在{v}", "{s}搬到了{v}", "{s}要搬到{v}", "{s}不再住在{v}了", "{s}住在{v}")},
		{predicate: "工作单位", kind: single, values: []string{"字节", "云海科技", "人民医院", "老街面包房"}, saying: sayings("{s}在{v}上班", "{s}入职了{v}", "{s}要去{v}上班", "{s}不在{v}上班了", "{s}在{v}工作")},
		{predicate: "爱好", kind: plural, values: []string{"下棋", "园艺", "帆船", "陶艺"}, saying: sayings("{s}的爱好有{v}", "{s}迷上了{v}", "", "{s}不再喜欢{v}了", "{s}迷过{v}")},
		{predicate: "见了", kind: event, values: []string{"市长", "以前的老师", "一位出版人"}, saying: sayings("{s}见了{v}", "{s}见了{v}", "{s}要见{v}", "", "{s}和{v}在一起")},
	},
	projects: []topic{
		{predicate: "截止日期", kind: single, values: []string{"6月30日", "7月15日", "9月1日", "年底", "3月31日"}, saying: sayings("{s}的截止日期是{v}", "{s}的截止日期改到了{v}", "{s}的截止日期会改到{v}", "{s}的截止日期不再是{v}", "{s}的截止日期是{v}")},
		{predicate: "状态", kind: single, values: []string{"规划中", "进行中", "暂停", "评审中"}, saying: sayings("{s}的状态是{v}", "{s}的状态变成了{v}", "{s}的状态会变成{v}", "{s}的状态不再是{v}", "{s}的状态是{v}")},
		{predicate: "framework", kind: single, values: []string{"React", "Vue", "Svelte", "Django"}, saying: sayings("{s}用的是{v}", "{s}换成了{v}", "{s}要换成{v}", "{s}不再用{v}了", "{s}用过{v}")},
		{predicate: "database", kind: single, values: []string{"PostgreSQL", "SQLite", "MongoDB", "MySQL"}, saying: sayings("{s}的数据存在{v}里", "{s}迁移到了{v}", "{s}要迁移到{v}", "{s}的数据不再存在{v}里", "{s}的数据存在{v}里")},
		{predicate: "部署方式", kind: single, values: []string{"Kubernetes", "单台虚拟机", "云函数", "物理机"}, saying: sayings("{s}部署在{v}上", "{s}改为部署在{v}上", "{s}会改为部署在{v}上", "{s}不再部署在{v}上", "{s}部署在{v}上")},
		{predicate: "负责人", kind: single, values: []string{"陈静", "老刘", "赵敏", "周航"}, saying: sayings("{s}由{v}负责", "{s}改由{v}负责", "{s}会改由{v}负责", "{s}不再由{v}负责", "{s}由{v}负责")},
		{predicate: "build_status", kind: single, byTools: true, values: []string{"通过", "失败", "不稳定"}, saying: sayings("{s}的构建{v}", "{s}的构建变为{v}", "", "{s}的构建不再{v}", "{s}的构建{v}")},
		{predicate: "requires", kind: plural, values: []string{"两人评审", "设计文档", "集成测试", "许可证检查"}, saying: sayings("{s}需要{v}", "{s}开始要求{v}", "{s}将会要求{v}", "{s}不再需要{v}", "{s}需要{v}")},
		{predicate: "released", kind: event, values: []string{"1.0版", "1.1版", "2.0版", "测试版"}, saying: sayings("{s}发布了{v}", "{s}发布了{v}", "{s}要发布{v}", "", "{s}在上线{v}")},
	},
	friendNames:  []string{"小王", "李娜", "阿杰", "孙阿姨", "大伟", "晓雯", "老张", "小林"},
	projectNames: []string{"猎鹰项目", "灯塔项目", "石英项目", "兰花项目", "青松项目"},
	nicknames:    map[string]string{"上海": "魔都", "广州": "羊城", "李娜": "娜娜", "小王": "王哥", "猎鹰项目": "猎鹰", "PostgreSQL": "Postgres"},
	frames: map[string][]string{
		"change":       {"{begin}。", "告诉你个消息：{begin}。", "对了，现在{is}。", "顺便说一下，{is}，最近的事。", "更新一下：{begin}。", "有个变化：{begin}。"},
		"change_dated": {"{when}{begin}。", "说起来，{when}{begin}。", "忘了告诉你，{when}{begin}。", "{begin}，是{when}的事。", "请记住：{when}{begin}。"},
		"again":        {"我说过的，{is}。", "再说一遍，{is}。", "{is}，还记得吧？", "没变，{is}。", "提醒一下：{is}。"},
		"plan":         {"{when}{plan}。", "定了：{when}{plan}。", "计划是{when}{plan}。", "如无意外，{when}{plan}。", "记一下，{when}{plan}。"},
		"end":          {"{stop}。", "告诉你一声，{stop}。", "如今{stop}。", "结束了：{stop}。", "唉，{stop}。"},
		"end_dated":    {"从{when}起{stop}。", "{when}开始，{stop}。", "{stop}，{when}的事。", "到{when}为止，之后{stop}。", "{when}就结束了：{stop}。"},
		"end_plan":     {"从{date}开始，{stop}。", "定了：{date}起{stop}。", "{when}就要结束了，之后{stop}。", "记一下，{date}以后{stop}。", "{when}起{stop}。"},
		"correct":      {"其实{is}，不是{w}。", "不是{w}，而是{v}：{is}。", "更正一下：{is}，之前说的{w}不对。", "我说错了，{is}，不是{w}。", "口误，{is}，跟{w}没关系。"},
		"redate":       {"更正日期：{when}{begin}。", "其实是{when}{begin}的，日期我记错了。", "我查了一下，{when}{begin}。", "日子说错了，{when}{begin}才对。", "不好意思，应该是{when}{begin}。"},
		"late":         {"{from}到{to}，{was}。", "从{from}到{to}这段时间，{was}。", "没跟你说过吧，{from}到{to}{was}。", "以前，{from}至{to}，{was}。", "其实{from}到{to}之间{was}。"},
		"back":         {"算了，{w}的事取消了。", "{w}那件事没有发生，一切照旧。", "别管我说的{w}了，还是老样子。", "{w}的事黄了，什么都没变。", "当我没说，{w}不算数。"},
		"back_end":     {"算了，还是{is}。", "当我没说，{is}，没结束。", "虚惊一场，{is}。", "收回刚才的话，{is}。", "不对，仍然{is}。"},
		"back_back":    {"又定下来了：{begin}，跟最初说的一样。", "我收回的那句其实没错：{is}。", "取消的事不算，{is}。", "结果还是成了：{begin}。", "不该收回的，{is}。"},
		"unsure":       {"要么{is}，要么是{w}，我记不清了。", "{is}，还是{w}来着？", "{v}或者{w}，回头再问我。也许{is}。", "一会儿觉得{is}，一会儿觉得是{w}。", "{is}，除非是{w}。"},
		"rumour":       {"网页上写着“{is}”。", "搜索结果：“{is}”。", "会议纪要写着“{is}”。", "那里写的是“{is}”。", "资料里有一句“{is}”。"},
		"rumour_end":   {"网页上写着“{stop}”。", "搜索结果：“{stop}”。", "会议纪要写着“{stop}”。", "那里写的是“{stop}”。", "资料里有一句“{stop}”。"},
	},
	chatter: []string{
		"帮我写一封关于预算的邮件吧。", "{c}的天气怎么样？", "换成你会搬到{c}吗？", "我邻居搬到{c}去了，想不到吧。", "今天看了一篇讲{v}的长文。", "Go 里怎么给切片排序？",
		"我们刚才说到哪儿了？", "谢谢，很有用。", "哈哈，好笑。", "要是再养一只狗，我就叫它{v}。", "我同事以前在{c}住过。", "地铁上有人一路都在聊{v}。", "{c}贵不贵？",
		"回到演示文稿上来吧。", "昨晚没睡好。", "能用两句话总结一下吗？", "电影里他们全都搬去了{c}。", "让我想想。", "如果改用{v}会怎么样？", "不知道{v}是谁发明的。",
		"听说春天的{c}不错。", "讲个关于{v}的笑话。", "你知道{v}吗？", "好，下一个问题。",
	},
	fillers: []string{"青岛", "大理", "北京", "React", "爵士乐", "Kubernetes", "饼干", "花生", "帆船", "苏州"},
	offsets: []int16{480, 480, 480, 540, 0},
	dates:   chineseDates{},
	questions: map[string]string{
		"user 住在": "{date}我住在哪里？", "user 工作单位": "{date}我在哪里上班？", "user 职位": "{date}我的职位是什么？", "user phone_model": "{date}我用什么手机？",
		"user favorite_band": "{date}我最喜欢哪个乐队？", "user 喜欢": "{date}我喜欢什么？", "user 过敏": "{date}我对什么过敏？", "user 宠物": "{date}我养着什么？",
		"user 会说": "{date}我会说哪些语言？", "user 收藏": "{date}我收藏什么？", "user 去过": "{date}我去了哪里？", "user 参加": "{date}我参加了什么？", "user 买了": "{date}我买了什么？",
		"住在": "{date}{s}住在哪里？", "工作单位": "{date}{s}在哪里上班？", "爱好": "{date}{s}的爱好是什么？", "见了": "{date}{s}见了谁？",
		"截止日期": "{date}时，{s}的截止日期是哪天？", "状态": "{date}{s}的状态是什么？", "framework": "{date}{s}用什么框架？", "database": "{date}{s}的数据存在哪里？",
		"部署方式": "{date}{s}部署在哪里？", "负责人": "{date}{s}由谁负责？", "build_status": "{date}{s}的构建怎么样？", "requires": "{date}{s}需要什么？", "released": "{date}{s}发布了什么？",
	},
	earlier: "就{date}时所知：",
}
