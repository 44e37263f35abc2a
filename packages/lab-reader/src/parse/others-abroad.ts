/** Who else a sample may be of, and what tries an assay, in languages that `specimen-words.ts` does not list: a line a language. */
const table = `
  ru: донор- реципиент- мать матери отец отца муж мужа жена жены ребен- ребён- новорожд- плод плода партнер- партнёр- контрол- калибратор-
  uk: реципієнт- мати батько батька дитина дитини новонародж- чоловік дружина калібратор-
  bg: майка баща дете новородено съпруг съпруга партньор-
  hr: davatelj- donor- majka majke otac oca dijete dete novorođen- suprug- partner- kontrol- kalibrator-
  sl: darovalec darovalka mati oče novorojen- otrok
  ro: donator- mama mamă mamei tata tatălui soț soția soțul nou-născut- copil copilului partener- calibrator-
  hu: anya anyai apa apai férj feleség újszülött- gyermek- kontroll- kalibrátor-
  el: δότης δότη δότρια λήπτης μητέρα μητέρας πατέρας πατέρα νεογνό νεογνού σύζυγος έμβρυο ελέγχου ποιότητας βαθμονόμησης
  et: doonor- ema isa vastsündinu- laps lapse abikaasa kontrollproov kontrollmaterjal kvaliteedikontroll kalibraator-
  lv: māte mātes tēvs tēva jaundzimuš- bērns bērna vīrs sieva partneris
  lt: motina motinos tėvas tėvo naujagim- vaikas vaiko vyras žmona partneris
  fi: luovuttaja- vastaanottaja äiti äidin isä isän vastasyntyn- lapsi lapsen puoliso- kumppani- kontrollinäyte kontrolliseerumi kontrollimateriaali kontrolli laadunohjaus laadunvarmistus kalibraattori
  is: gjafi gjafa móðir móður faðir föður nýburi nýbura barn maki viðmiðunarsýni gæðaeftirlit
  sv: givare mottagare moder mor fader far nyfödd- barn make maka kontrollprov- kontrollserum kvalitetskontroll-
  nl: ontvanger moeder vader pasgeboren- kind echtgenoot echtgenote controlemonster controlemateriaal controleserum kwaliteitscontrole
  pl: dawca dawcy dawczyni biorca biorcy matka matki ojciec ojca noworod- dziecko dziecka mąż męża żona żony
  cs: dárce dárkyně příjemce matka matky otec otce novoroz- dítě dítěte manžel- kalibrátor- ; sk: darca darcu príjemca dieťa dieťaťa novoroden- otca kalibrátor-
  tr: verici donör- alıcı anne annenin baba babanın eş eşi bebek bebeğin yenidoğan kalibratör
  pt: dador- doador- mãe pai recém-nascido cônjuge marido esposa calibrador ; ca: donant mare pare nounat parella marit
  vi: mẹ cha bố chồng vợ chứng ; id: pendonor ibu ayah suami istri bayi
`

const words = table
  .split(/\s+/)
  .filter((word) => word !== '' && word !== ';' && !/^[a-z]{2}:$/.test(word))
  .map((word) => word.replace(/(?<=\p{L})-$/u, String.raw`\p{L}*`))
  .join('|')

/** Written together with other words. */
const together =
  '供者|供体|供體|捐献者|捐獻者|母亲|母親|父亲|父親|丈夫|妻子|配偶|新生儿|新生兒|胎儿|胎兒|质控|質控|对照|對照|校准品|공여자|기증자|산모|배우자|신생아|태아|정도관리|대조군|المتبرع|الأم|الأب|الزوج|المولود|ضبط الجودة|תורם|יילוד|בקרת איכות'

/** A title of at most three words that begins or ends with one of these. */
export const titlesOfOthersAbroad = String.raw`^(?:${words})(?:\s+\p{L}+){0,2}$|^(?:\p{L}+\s+){1,2}(?:${words})$|${together}|^(?:material|mostra|suero|soro|ser|sèrum) (?:de )?control[eo]?$`
