import { plainLetters } from '../facts/letters.ts'
import { normaliseName } from '../facts/match.ts'
import type { Observation } from '../parse/parsed.ts'
import { withoutStandingTexts } from '../parse/standing-texts.ts'
import infections from './infection-codes.json' with { type: 'json' }

/** Names of infections that nobody learns of from a page alone, by the infection. */
const graveNames = {
  hiv: 'hiv',
  hepatitisB: 'hbsag|hbeag|hbv|hepatit\\w* b',
  hepatitisC: 'hcv|hepatit\\w* c',
  hepatitisD: 'hdv|hepatit\\w* d',
  htlv: 'htlv',
  syphilis: 'syphilis|lues|sifili\\w*|treponem\\w*|t\\.? ?pallidum|rpr|vdrl|tpha|tppa',
  gonorrhea: 'gono[rckc]\\w*|n\\.? ?gonor\\w*',
  chlamydia: '[ck]h?lam[yi]d\\w*',
  malaria: 'malaria|paludisme|plasmodium',
  zika: 'zika',
  cryptococcus: 'cryptococc\\w*',
  tuberculosis:
    'tuber[ck]ul\\w*|m[yi][ck]obacter\\w*|m\\.? ?tuberculosis|mtbc?|afb|acid[- ]?fast\\w*|baar|quantiferon|igra|t[- ]?spot',
  trichomonas: 'tri[ck]h?omon\\w*|t\\.? ?vaginalis',
}
const grave = new RegExp(`\\b(${Object.values(graveNames).join('|')})\\b`)
/** Others: an antibody that stays for life, IgG, is none. A number of them is judged by its flag and printed range. */
const other =
  /\b(hav|hev|hepatit\w* [ae]|hsv|herpes\w*|hpv|papillom\w*|cmv|cytomegal\w*|zytomegal\w*|ebv|epstein\w*|sars\w*|covid\w*|corona\w*|influenza\w*|rsv|mpox|monkeypox|ebola|dengue|chikungunya|west nile|rabies|mycoplasm\w*|mykoplasm\w*|ureaplasm\w*|legionell\w*|salmonell\w*|shigell\w*|[ck]ampylobac?ter|yersinia|vibrio|listeri\w*|borreli\w*|lyme|toxoplasm\w*|brucell\w*|coxiell\w*|rickett\w*|leptospir\w*|bordetell\w*|pertussis|candida|aspergill\w*|histoplasm\w*|pneumocyst\w*|giardia|lamblia|cryptosporid\w*|entam\w*|am(?:oe|e)b\w*|schistosom\w*|echinococc\w*|strongyloid\w*|leishman\w*|trypanosom\w*|clostridi\w*|c\.? ?diff\w*|stec|ehec|shiga\w*|mrsa|vre|meningococc\w*|pneumococc\w*|h\.? ?pylori|helicobacter|gardnerella|pathogen\w*|parasit\w*|pcr|naat?)\b/
const forLife = /\b(igg|immun\w*|vaccin\w*|titer|titre)\b/

/** LOINC codes of infections that the catalogue lacks, with their component: whatever the sender calls them. */
const codes = new Map(
  Object.entries(infections.codes).flatMap(([of, line]) => line.split(' ').map((code) => [code, of] as const)),
)

/** What a result's names and LOINC code say of an infection; undefined where they name none. */
export function infectionNamed({ name, alsoCalled = [], loinc, codes: own = [] }: Observation) {
  const names = [name, ...alsoCalled, ...own.map(({ name }) => name)].map(plainLetters)
  if ((loinc && codes.has(loinc)) || names.some((one) => grave.test(one))) return 'grave'
  return names.some((one) => other.test(one) && !forLife.test(one)) ? 'other' : undefined
}

const both = 'ct ?[ +&] ?(?:ng|gc)|(?:ng|gc) ?[ +&] ?ct|aptima combo'
const amplified = '(?:naat?|tma|pcr|sda|dna|r?rna|amp\\w*)'
/** Shorter names, which mean something else where no test of an infection is meant. */
const shortNames: Partial<Record<keyof typeof graveNames | 'hepatitisA' | 'covid', string>> = {
  hiv: 'hiv\\w+|human immunodeficiency',
  hepatitisA: 'hav|hep\\w* a',
  hepatitisB: 'hb[sce]\\w*|hep b',
  hepatitisC: 'hep c',
  syphilis: 'reagin|fta|trust|tp ab|trep\\w*',
  gonorrhea: `gc(?! ?ms)|ng ${amplified}|${both}`,
  chlamydia: `c trachomatis|ct ${amplified}|lgv|${both}`,
  trichomonas: `trich\\w*|tv ${amplified}`,
  tuberculosis: 'tb',
  covid: 'covid\\w*|sars\\w*|corona\\w*|ncov\\w*',
}
const kinds = [...new Set([...Object.keys(graveNames), ...Object.keys(shortNames)])].map((kind) => {
  const names = [graveNames[kind as keyof typeof graveNames], shortNames[kind as keyof typeof shortNames]]
  return [kind, new RegExp(`\\b(?:${names.filter(Boolean).join('|')})\\b`)] as const
})
const viralLoad = /\b(?:viral load|viruslast|carga viral|charge virale)\b/

/** Which infections a name of a test or a condition, or a LOINC code, is of; of a viral load without more: all that have one. */
export function infectionsIn(name: string, loinc?: string | null): string[] {
  const text = normaliseName(`${name} ${codes.get(loinc ?? '') ?? ''}`)
  const named = kinds.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind)
  const isAny = named.length === 0 && viralLoad.test(text) && !other.test(text)
  return isAny ? ['hiv', 'hepatitisB', 'hepatitisC'] : named
}

const found =
  /\b(?:detected|reactive|positive|pos|present|indeterminate|equivocal|inconclusive|borderline|gr[ae]y ?zone|presumptive|acute infection|recent infection|seroconver\w+|infection likely|low[- ]level|isolated|reaktiv|positiv|nachgewiesen|nachweisbar|grenzwertig|unklar|positif|positive|reactif|detecte|douteux|indetermine|positivo|positiva|reactivo|detectado|dudoso|indeterminado|reattivo|rilevato|dubbio|indeterminato|pavist|ubestemt|(?:close to|near(?: to)?|approaching|(?:just|slightly) (?:below|under)) (?:the )?(?:cut-?off|threshold)|(?:faint|weak(?:ly)?|low) (?:\w+ )?(?:band|signal|reactivity)|(?:nahe (?:am|dem)|knapp unter(?: dem)?) (?:cut-?off|grenzwert)|proche (?:du|de la) (?:seuil|limite|cut-?off)|(?:cerca|proximo) (?:del|al) (?:punto de corte|cut-?off)|vicino al cut-?off)\b/g
const denied =
  /(?:\b(?:not|non|nicht|pas|ikke)\b[^.,;:!?]{0,50}|\b(?:no|none|never|nor|neither|without|negative for|kein\w*|ohne|aucune?|sin|senza|nessun\w*|ingen)\b[^.;:!?]{0,60})$/
/** Before it, the word is of what would be, or of tests in general. */
const supposed =
  /\b(?:if|may|might|can|could|cannot|should|would|when|whenever|unless|all|any|every|exclude[sd]?|excluding|rule[sd]? out|wenn|falls|kann|konnen|sollte\w*|ausschlie\w*|peut|si|puede|debe)\b/
/** How to read a test: "positive results", "positive > 1.0", "0.9-1.1 equivocal". */
const instruction =
  /\b(?:positive?|reactive|indeterminate|equivocal|borderline|reaktive?|positive[rsn]?) (?:results?|samples?|specimens?|tests?|screens?|values?|predictive|ergebnis\w*|proben?)\b|\b(?:positive?|reactive|equivocal|borderline|indeterminate|grenzwertig)\b\s*[:(=]?\s*[<>≥≤=]|(?:[<>≥≤]=?\s*[\d.,]+|\d[\d.,]*\s*(?:-|–|to|bis)\s*\d[\d.,]*)\s*[:=(]?\s*(?:is |are )?(?:positive?|reactive|equivocal|borderline|indeterminate|grenzwertig)\b/

/** Whether a note beside a negative answer says that something was found, or may have been. */
export const noteSpeaksOfFinding = (note: string): boolean =>
  plainLetters(withoutStandingTexts(note))
    .split(/[.;!?\n](?!\d)/)
    .some((clause) => {
      if (instruction.test(clause)) return false
      const before = [...clause.matchAll(found)].map(({ index }) => clause.slice(0, index))
      return before.some((words) => !denied.test(words) && !supposed.test(words))
    })
