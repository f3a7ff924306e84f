"""Which language a text is in: by script, and by frequent short words where languages share one.

The official checks ask langdetect, which draws parts of the text by chance; ours gives the same
answer every time. How often the two agree is in docs/evals/instructions.md. Codes are langdetect's.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import regex  # type: ignore[import-untyped]

_SCRIPTS = {
    "Hangul": "ko", "Thai": "th", "Tamil": "ta", "Telugu": "te", "Kannada": "kn",
    "Malayalam": "ml", "Gujarati": "gu", "Gurmukhi": "pa", "Bengali": "bn", "Hebrew": "he",
    "Greek": "el",
}  # fmt: skip
"""Scripts that one language writes."""

_WORDS = {
    "Latin": {
        "en": "the of and to in is that it for was on are with as you be this have or not by from"
        " at an your they which can if will we there their has but what about my i how do all"
        " more our he his she her them when these those so who its into would could should been",
        "de": "der die das und ist nicht ich zu den mit sich auf für von dem ein eine es im sie"
        " werden auch wie an oder wird sind aus bei nach kann einen als wir du haben dass er"
        " einer diese dieser bitte ihr ihre zum zur um wenn nur noch über hat",
        "fr": "le la les de des et est un une dans que pour qui pas sur au avec ce il vous nous"
        " sont par plus du en ne ou être cette votre je se ses son aux mais a été avoir leur si"
        " notre elle ces ont fait d l c qu s j n",
        "es": "el la los las de que y en un una es por con para no se del al lo su como más este"
        " esta son o pero sus ser está ha si puede nos le muy desde sin tu uno cuando también"
        " hay todo mi yo eso cada",
        "pt": "o a os as de que e em um uma é por com para não se do da dos das no na nos mais"
        " ou como ao são pelo pela seu sua você foi está ser isso este esta mas ele também tem"
        " sem já muito à eu nós quando",
        "it": "il la lo gli le di che e in un una è per con non si del della dei delle al alla"
        " sono più come da nel nella questo questa ma o anche ha essere i dal suo sua mi ti ci"
        " perché ogni l quando loro se tutto molto",
        "nl": "de het een en van is in dat op te niet voor met zijn aan er die door als ook of"
        " wordt bij worden naar kan dit om uit deze u je heeft was we maar geen over zij hun moet"
        " ik hij meer nog",
        "sv": "och att det är en ett som på för med den av inte till om har de kan vi så du var"
        " eller från men alla jag ska när denna detta måste vid finns kommer där sig är mycket",
        "da": "og at det er en et som på for med den af ikke til om har de kan vi så du var eller"
        " fra men alle jeg skal når denne dette må ved blev hvor sig være efter hvis kun også"
        " mange noget nogle",
        "no": "og å det er en et som på for med den av ikke til om har de kan vi så du var eller"
        " fra men alle jeg skal når denne dette må ved ble hvor seg være etter hvis bare også"
        " mange noe noen enn opp",
        "fi": "ja on ei se että olla hän ovat mutta kun niin joka oli tai sen myös voi jos kuin"
        " tämä ne mukaan jo ole sekä kanssa vain jotka siitä tämän hyvin minä sinä me mitä nyt"
        " kaikki voit vielä",
        "pl": "i w na nie się jest z do że to o jak za od po co ale dla czy są przez tak może ten"
        " być przy lub ma było oraz jego jej tym tego już tylko który która które jako bardzo"
        " ich ze",
        "cs": "a v na je se že to s z do o i za pro by jako po jsou ale nebo jeho od k které který"
        " při byl tak být bylo může jak není musí která tento pouze pokud ve má co až také si",
        "sk": "a v na je sa že to s z do o aj za pre by ako po sú ale alebo jeho od k ktoré ktorý"
        " pri bol tak byť bolo môže nie musí ktorá tento iba ak vo má čo až tiež si čí",
        "sl": "in je v na se da za so ki pa z ne s od po kot bi tudi ali do pri lahko ni še ko ker"
        " biti bil mora ta to če ima samo kateri sem jih iz o k",
        "hr": "i je u na se da za su od koji s a o kao što iz ne do ili nije po to bi samo može"
        " biti sve te ako bio koje koja mora ova ovaj već nakon ima će ga kako",
        "ro": "și de în la a cu nu este pe că se un o pentru din care sau mai să au fi sunt prin"
        " ca ce fost dar acest această lui dacă poate al ale după cum ei el foarte",
        "hu": "a az és nem hogy is egy meg ez van de csak el már vagy ha mint kell volt lehet még"
        " minden ki fel sem ezt azt aki ami nincs nagy mert után való nagyon vagyok",
        "tr": "ve bir bu da de için ile çok ne o gibi daha olarak değil var kadar en ama olan mi"
        " sonra her ben ya veya ki olduğu lütfen bunu şey geçerli yok oldu değildir",
        "vi": "và của là có không được cho các một trong để với người những này khi đã từ về"
        " nhiều như hay tôi bạn ra ở đó vào phải hoặc cũng",
        "id": "yang dan di dari untuk dengan ini itu tidak dalam pada adalah ke akan atau juga"
        " oleh sebagai saya anda bisa kami dapat telah karena lebih ada kita seperti harus"
        " bukan mereka sudah",
        "sw": "na ya wa kwa ni katika za la kuwa cha ambayo hii pia watu yake kama hiyo ili au si"
        " wake yao mimi sana lakini kutoka hadi baada ambao kila vya yangu wetu kwamba huu hapa",
        "tl": "ang ng sa na mga ay at ito para hindi si ko mo ka niya kung may mula upang isang"
        " ako nang siya kanyang natin tayo lang din ngunit dahil namin kami",
        "af": "die en van is in nie het wat om te dit vir met op sy ek aan as hulle moet sal kan"
        " hy ons jy deur daar by maar geen baie hierdie wees uit",
        "ca": "el la els les de que i en un una és per amb no del dels al va més com aquest"
        " aquesta són o però seu ser està ha si també pot ens molt als pel hi",
        "et": "ja on ei see et oli ka mis kui oma ta või aga siis kes ning mida selle olema saab"
        " pole peab nii seda veel üks ära mitte vaid",
        "lv": "un ir no ar par ka uz lai kā tas bija vai pēc nav arī tiek bet kas ja šī to šo"
        " jābūt vēl tā viņš es",
        "lt": "ir yra į iš su kad tai ne buvo kaip apie bet po nuo jo už arba tik gali dar šis"
        " pagal būti turi aš jis ji prie",
        "sq": "dhe të e në një për me nga është që nuk si më do ka ky kjo i së ose por duhet"
        " jetë janë kanë ishte unë",
        "so": "waa iyo in ku ka oo ah uu ay la ee ayaa soo si waxaa aan ama inuu mid kale waxay"
        " aad u leh",
        "cy": "y yr a i yn o mae ar am gan bod ei eu wedi ac gyda hyn neu un oedd i'r sydd"
        " fod dim wrth",
    },
    "Cyrillic": {
        "ru": "и в не на что с как это по для от или из к а о за но вы быть он его при все так"
        " если же только может я был мы она они также чтобы уже у бы",
        "uk": "і в не на що з як це та для від або із до а за але ви бути він його при всі так"
        " якщо є тільки може у цей й ми вона вони також щоб під був",
        "bg": "и в не на че с как това по за от или до а но вие бъде той при всички така ако е"
        " само може се да са със трябва ще си които който бе като ли към аз",
        "mk": "и во не на дека со како ова по за од или до а но вие биде тој при сите така ако е"
        " само може се да се мора ќе си кои што беше ги му ја",
    },
    "Arabic": {
        "ar": "في من على أن إلى هذا التي هذه لا ما عن مع كان هو هي أو الذي ذلك إن لم كل قد بعد"
        " غير يجب يمكن أنا و لها",
        "fa": "و در به از که این را است با برای آن یک می های شما نیست شده یا باید بر تا هر نمی"
        " کنید ما هم اما من بود خود",
        "ur": "اور کے میں کی ہے سے کا کو نے یہ ہیں کہ پر نہیں ایک وہ بھی تھا ہو جو کر اس آپ یا"
        " کیا تو ہم لئے لیے گیا ان",
    },
    "Devanagari": {
        "hi": "है के में की और का से को यह नहीं पर हैं कि एक ने भी इस हो कर तो था लिए या जो आप"
        " वह अपने जा करने हम मैं थी बहुत",
        "mr": "आहे आणि या हे नाही तो त्या होते आहेत करण्यासाठी मी आम्ही एक हा ही की व च्या असे"
        " केले मध्ये तर किंवा साठी होता करा झाले आपण तुम्ही खूप",
        "ne": "छ को मा र हो लागि यो गर्न छन् पनि भएको हुन्छ गर्नुहोस् तथा छैन एक वा लाई बाट गरेको"
        " हुन् म हामी तपाईं थियो धेरै त्यो",
    },
}  # fmt: skip
"""Script -> language -> frequent words."""

_LETTERS = {
    "Latin": {"vi": "ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ", "pl": "ąęłńśźż",
              "cs": "ěřů", "tr": "ığş", "ro": "țșţ", "hu": "őű", "de": "ß", "es": "ñ¿", "pt": "ãõ",
              "lv": "āēīļņģķ", "lt": "ėįųū", "sk": "ľĺŕ", "et": "õ", "da": "æø", "no": "æø",
              "sv": "äå", "fi": "ä"},
    "Cyrillic": {"ru": "ыэё", "uk": "іїєґ", "mk": "ѓќѕљњџј", "bg": "ъ"},
    "Arabic": {"ar": "ةىأإ", "fa": "پچژگ", "ur": "ٹڈڑںےہھ"},
    "Devanagari": {"mr": "ळ"},
}  # fmt: skip
"""Script -> language -> letters that tell it; three count as much as a frequent word."""

_LINK = regex.compile(r"https?://\S+|\S+@\S+\.\S+")
_LETTER = regex.compile(r"\p{L}")
_TOKEN = regex.compile(r"[\p{L}\p{M}]+(?:'\p{L}+)?")


def language_of(text: str) -> str:
    """The code of the language; nothing for a text without letters.

    Latin letters are left out where other scripts have more than twice as many. What no frequent
    word tells is English.
    """
    plain = _LINK.sub(" ", text)
    scripts = Counter(map(_script, _LETTER.findall(plain)))
    latin = scripts["Latin"]
    if 2 * latin < scripts.total() - latin:
        del scripts["Latin"]
    if not scripts:
        return ""
    script = max(scripts, key=scripts.__getitem__)
    if script in _SCRIPTS:
        return _SCRIPTS[script]
    if script in ("Han", "Kana"):
        return "ja" if scripts["Kana"] > scripts["Han"] / 10 else "zh-cn"
    if script not in _WORDS:
        return script
    return _shared(script, plain)


def words_of(language: str) -> list[str]:
    """Some words of a language; nothing for one that is not known."""
    for known in _WORDS.values():
        if language in known:
            return known[language].split()
    script = next((name for name, code in _SCRIPTS.items() if code == language), None)
    if not script:
        return ["の", "これは", "です"] if language == "ja" else []
    every = filter(_LETTER.match, map(chr, range(0x370, 0xD7A4)))
    letters = [letter for letter in every if _script(letter) == script]
    return ["".join(letters[n : n + 4]) for n in range(0, 80, 4) if letters[n : n + 4]]


def _shared(script: str, text: str) -> str:
    """The language, among those that write this script."""
    tokens = _TOKEN.findall(text.lower())
    letters = Counter(text.lower())
    scores = {
        name: 3 * sum(token in words for token in tokens)
        + sum(letters[letter] for letter in _LETTERS[script].get(name, ""))
        for name, words in _frequent(script).items()
    }
    return max(scores, key=scores.__getitem__)


@cache
def _frequent(script: str) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in _WORDS[script].items()}


_NAMES = ("Latin", "Cyrillic", "Arabic", "Devanagari", "Han", *_SCRIPTS)
_KANA = r"(?P<Kana>[\p{Hiragana}\p{Katakana}])"
_OF = regex.compile("|".join([_KANA, *(rf"(?P<{name}>\p{{{name}}})" for name in _NAMES)]))


@cache
def _script(letter: str) -> str:
    found = _OF.match(letter)
    return found.lastgroup if found and found.lastgroup else "other"
