package text

import "strings"

// Stop words serve twice: they are left out of the terms of a text in their
// language, and they tell which language a text is in. The English list is the
// one that retrieval was measured with; change it only with a new measurement.

const stopEnglish = `a an the and or but if then else of at by for with about against between into through during before after above
below to from up down in out on off over under again further once here there when where why how all any both each few more most
other some such no nor not only own same so than too very s t can will just don should now i me my myself we our ours ourselves
you your yours yourself he him his himself she her hers herself it its itself they them their theirs themselves what which who
whom this that these those am is are was were be been being have has had having do does did doing would could ll ve re d m`

// Contractions whose rest after the apostrophe is taken away is not a stop word
// by itself ("isn", "won"), and some that are.
const stopContractions = `don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't shouldn't couldn't
can't cannot mustn't mightn't needn't shan't ain't daren't oughtn't let's y'all 'tis 'twas`

const stopGerman = `aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei bin
bis bist da damit dann das dass daß dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser
dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure für gegen habe haben hat hatte hatten
hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins indem ist ja jede jedem jeden jeder jedes jene jetzt kann
kein keine keinem keinen keiner können könnte mal man manche mein meine meinem meinen meiner mich mir mit muss musste nach nicht
nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte sondern sonst
über um und uns unser unsere unserem unseren unter viel vom von vor während war waren warst was weg weil welche welchem welchen
welcher welches wenn wer werde werden wie wieder will wir wird wirst wo wollen wollte worden wurde wurden würde würden zu zum zur
zwar zwischen schon seit warum wann wen wem woher wohin`

const stopFrench = `a à ai aie ait alors après as au aucun aussi autre aux avait avec avez avoir avons avant bien ça car ce ceci cela
celle celles celui ces cet cette ceux chez comme comment d dans de des deux donc du elle elles en encore entre es est et étaient
étais était étant été être eu eux fait faire font ici il ils j je l la là le les leur leurs lui m ma mais me même mes moi mon n
ne ni non nos notre nous on ont ou où par parce pas peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s
sa sans se sera ses si son sont sous soit suis sur t ta te tes toi ton tous tout toute toutes très tu un une va vers voici voilà
vos votre vous y c'est n'est qu'il qu'elle qu'on d'un d'une est-ce aujourd'hui`

const stopSpanish = `a al algo algunas algunos ante antes aquí así aunque cada como cómo con contra cual cuál cuando cuándo de del desde
dónde donde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está estaba estado están estar
estas este esto estos estoy fue fueron fui ha había habían han has hasta hay he la las le les lo los más me mi mí mis mismo mucho
muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque por qué que qué quien
quién quienes se sea ser si sí sido sin sobre sois somos son soy su sus también tanto te tenía tengo tiene tienen ti todo todos
tu tú tus un una unas uno unos va vosotros voy y ya yo`

const stopPortuguese = `a à ao aos aquela aquelas aquele aqueles aquilo as às até com como da das de dela delas dele deles depois do dos
e é ela elas ele eles em entre era eram essa essas esse esses esta está estão estas estava estavam este estes estou eu foi fomos
for foram fosse há isso isto já lhe lhes mais mas me mesmo meu meus minha minhas muito muita na não nas nem no nos nós nossa
nossas nosso nossos num numa o os ou para pela pelas pelo pelos por porque qual quais quando quanto que quê quem onde se seja sem
ser será seu seus só são sua suas também te tem têm temos tenho ter teu teus tinha tu tua tuas tudo um uma umas uns vai você
vocês vos vou`

const stopItalian = `a abbiamo ad agli ai al alla alle allo anche ancora avere aveva c che chi ci ciò come con contro cosa così cui da
dagli dai dal dalla dalle dallo dei degli del dell della delle dello di dopo dove due e è ed era erano essere fa fra gli ha hai
hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto ne negli nei nel nella nelle nello noi non nostra
nostro o ogni per perché perchè più poi però prima qual quale quando quanto quella quelle quelli quello questa queste questi
questo qui quindi sarà se sei sempre senza si sia siamo sono sta stato stata su sua sue sugli sui sul sulla sulle suo suoi te ti
tra tu tua tuo tutti tutto un una uno vi voi`

const stopDutch = `aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens en er ge geen geweest
haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jouw jullie kan kon kunnen maar me meer men met
mij mijn moet na naar niet niets nog nu of om omdat onder ons onze ook op over reeds te tegen toch toen tot u uit uw van veel voor
waar waarom wanneer want waren was wat we wel werd wezen wie wij wil worden wordt zal ze zei zich zij zijn zo zonder zou`

const stopSwedish = `alla allt att av blev bli blir blivit då där de dem den denna deras dess dessa det detta dig din dina ditt du efter ej
eller en er era ert ett från för genom ha hade han hans har hela hennes här hon honom hur i icke inga ingen inget inom inte jag ju
kan kunde man med mellan men mig min mina mitt mot mycket ni nu när någon något några och om oss på samma sedan sig sin sina sitta
själv skulle som så sådan till under upp ut utan vad var vara varför varit varje vars vart vem vi vid vilken vilket våra vårt är
över`

const stopDanish = `ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din dine dit dog du efter eller en
end er et for fra få ham han hans har have havde hende hendes her hos hun hvad hvem hver hvilken hvis hvor hvordan hvornår hvorfor
i igen ikke ind jeg jer jo kan kunne man mange med meget men mig min mine mit mod nej noget nogle nok nu når og også om op os over
på selv sig sin sine sit skal skulle som sådan så thi til ud under var være været vi vil ville vor`

const stopNorwegian = `alle at av bare begge ble bli blir da de deg dem den denne der dere deres det dette di din disse ditt du eller en ei er
et etter for fordi fra før ha hadde han hans har henne hennes her hun hva hvem hver hvilken hvis hvor hvordan hvorfor i ikke ingen
inn jeg kan kunne man mange med meg men mer mi min mine mitt mot mye nei noe noen nå når og også om opp oss over på seg selv sin
sine sitt sjøl skal skulle slik som så til ut uten var vår være vært vi vil ville ved dykk eg ikkje`

const stopFinnish = `ei eivät emme en ennen että et he heidän heille hän hänen hänet häntä ja jo joka jos jotka kanssa kaikki keitä ken
kenen kuin kuinka kuka kun koska me meidän meille mikä miksi millainen milloin minä minua minulla minun minut minulle missä mistä
mitä mutta myös ne niiden niin niitä noin nyt oli olemme olen olet olette olivat olla olisi on ovat se sekä sen siitä sinä sinun
sinulla sitä tai te teidän tämä tämän tässä tätä vaan vain vai voi vielä`

const stopHungarian = `a abban ahhoz ahogy aki akik akkor amely amelyek ami amikor amit annak az azért azok azon azt aztán azután be benne
csak de egy egyes egyik ebben ekkor el ellen elég én és ez ezek ezen ezért ezt fel hanem hiszen hogy hogyan hol ha igen ill is így
itt jól kell ki le lehet lenne lesz mert még meg mely mi mikor miért minden mindig mit mint most már ma más na nagy nagyon ne nem
neki nekem nincs ő ők olyan ott pedig sem semmi sok te tehát tovább úgy után vagy vagyok van vannak volt voltam voltak vissza`

const stopRomanian = `a acea aceasta această aceea acel acest acesta aceste acestea acolo acum ai aici al ale alt altă am ar are aș au avea ca
că care când cât ce cel cine cu cum da dacă dar de deci deja despre din dintre după ea ei el ele era este eu există face fără fi
fie fost iar îi îl în înainte între îmi își la le lor lui mai mă mea mei meu mi mult multe nici nimic noastră nostru noi nu o pe
pentru peste poate prin sa să sale sau se spre sub sunt și ta tău te toate tot toți tu un una unde unei unui vă voi vor vostru`

const stopTurkish = `acaba ama ancak artık aslında az bana bazı belki ben benden beni benim bile bir biri biraz biz bize bizi bizim bu buna
bunu bunun burada böyle çok çünkü da daha de defa değil diğer diye en gibi göre ha hangi hem hep hepsi her hiç için ile ise işte
kadar kendi kez ki kim mı mi mu mü nasıl ne neden nerede nereye niye o olan olarak oldu olduğu olur ona onlar onu onun orada oysa
öyle sana sen seni senin siz sizin sonra şey şimdi şu şunu tüm üzere var ve veya ya yani yok`

const stopRussian = `а без более бы был была были было быть в вам вас весь во вот все всего всех всё вы где да даже для до его ее её если есть
еще ещё же за здесь и из или им их к как какая какие какой когда кого которая которые который кто ли лишь меня мне много может мой
моя моё мои мы на над надо наш наша не него нее неё ней нет ни них но ну о об один одна он она они оно от очень по под после потом
потому почему при про с со сам свой свою своя себя сейчас так также такой там тебя тебе тем то тоже только том ты у уже хотя чего
чем что чтобы эта эти это этого этой этом этот я куда откуда зачем твой твоя ваш ваша`

const stopArabic = `في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين اللذان ما ماذا لماذا متى أين اين كيف كم هل لا لم لن ليس ليست قد كان
كانت كانوا يكون تكون هو هي هم هن أنا انا أنت انت نحن أنتم أو او ثم أن ان إن أي اي كل بعض بعد قبل عند عندما حتى إذا اذا لكن
ولكن و يا بين أيضا ايضا أيضاً فقط جدا جداً منذ هناك هنا لدي لديه لديها له لها لهم لي به بها فيه فيها منه منها عليه عليها إنه إنها انه انها وهو
وهي كما مثل غير سوف`

const stopHindi = `का के की को में से ने पर और या है हैं था थी थे हूँ हूं हो होता होती होते हुआ हुई हुए यह ये वह वे इस उस इन उन इसे उसे इसके उसके उनके
उनकी उनका इसकी उसकी उसका इसका मैं मैंने मुझे मेरा मेरी मेरे हम हमने हमें हमारा हमारी हमारे तुम तुम्हारा तुम्हारी आप आपका आपकी आपके अपना अपनी
अपने जो जिस जब तब तो भी ही नहीं न ना कि क्या कौन कहाँ कहां कब कैसे क्यों कितना कितने कितनी किस किसी कोई कुछ एक लिए साथ तक कर करके
करना करता करती करते किया गया गई गए जा रहा रही रहे वाला वाली वाले यहाँ वहाँ अब फिर बहुत लेकिन मगर अगर बाद पहले क्योंकि`

const stopGreek = `ο η το οι τα του της των τον την τις τους και κι να θα με σε για από ως στο στη στην στον στα στις στους δεν μη μην που πως πού
πώς τι ποιος ποια ποιο είναι ήταν είμαι είσαι έχω έχει έχουν είχε αν ότι όταν αλλά ή μου σου μας σας αυτό αυτή αυτός αυτά ένα ένας
μια μία εγώ εσύ εμείς εδώ εκεί πολύ πιο`

// langSet is a set of languages, one bit each in the order of languages.
type langSet uint32

// language is what the package knows of one language.
type language struct {
	code  string
	stop  string // stop words, separated by white space
	signs string // letters that speak for the language
	latin bool
}

// languages are those with stop words. English comes first: it is what a text
// in Latin letters is taken for unless another one has more to say for itself.
var languages = []language{
	{code: "en", stop: stopEnglish, latin: true},
	{code: "de", stop: stopGerman, signs: "äöüß", latin: true},
	{code: "fr", stop: stopFrench, signs: "éèêàçùûîœ", latin: true},
	{code: "es", stop: stopSpanish, signs: "ñ¿¡áéíóú", latin: true},
	{code: "pt", stop: stopPortuguese, signs: "ãõçáéêâóí", latin: true},
	{code: "it", stop: stopItalian, signs: "àèéìòù", latin: true},
	{code: "nl", stop: stopDutch, signs: "ëï", latin: true},
	{code: "sv", stop: stopSwedish, signs: "åäö", latin: true},
	{code: "da", stop: stopDanish, signs: "æøå", latin: true},
	{code: "no", stop: stopNorwegian, signs: "øåæ", latin: true},
	{code: "fi", stop: stopFinnish, signs: "äö", latin: true},
	{code: "hu", stop: stopHungarian, signs: "őűáéíóöúü", latin: true},
	{code: "ro", stop: stopRomanian, signs: "ăâîșțşţ", latin: true},
	{code: "tr", stop: stopTurkish, signs: "ığşçöüİ", latin: true},
	{code: "ru", stop: stopRussian},
	{code: "ar", stop: stopArabic},
	{code: "hi", stop: stopHindi},
	{code: "el", stop: stopGreek},
}

const inEnglish langSet = 1

// esIndex is the index of Spanish, the one language with ¿ and ¡.
const esIndex = 3

// scriptStops are the languages whose stop words are always left out: no other
// language with stop words here shares their script.
var scriptStops = langOf("ru") | langOf("ar") | langOf("hi") | langOf("el")

// langOf returns the set of the one language, empty if it has no stop words here.
func langOf(code string) langSet {
	for i := range languages {
		if languages[i].code == code {
			return 1 << i
		}
	}
	return 0
}

// stopWords tells the languages of which a word is a stop word.
var stopWords = func() map[string]langSet {
	m := make(map[string]langSet, 3000)
	for i, l := range languages {
		for _, w := range strings.Fields(l.stop) {
			m[normalWord(w)] |= 1 << i
		}
	}
	for _, w := range strings.Fields(stopContractions) {
		m[w] |= inEnglish
	}
	return m
}()

// normalWord brings a word of a list into the form the scanner looks up.
func normalWord(w string) string {
	n := normalise(w)
	return lower(n.text)
}
