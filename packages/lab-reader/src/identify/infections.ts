import { plainLetters } from '../facts/letters.ts'
import type { Observation } from '../parse/parsed.ts'
import { withoutStandingTexts } from '../parse/standing-texts.ts'
import infections from './infection-codes.json' with { type: 'json' }

/** Names of infections that nobody learns of from a page alone. */
const grave =
  /\b(hiv|hbsag|hbeag|hcv|hbv|hdv|htlv|hepatit\w* [bcd]|syphilis|lues|sifili\w*|treponem\w*|t\.? ?pallidum|rpr|vdrl|tpha|tppa|gono[rckc]\w*|n\.? ?gonor\w*|[ck]h?lam[yi]d\w*|malaria|paludisme|plasmodium|zika|cryptococc\w*|tuber[ck]ul\w*|m[yi][ck]obacter\w*|m\.? ?tuberculosis|mtbc?|afb|acid[- ]?fast\w*|baar|quantiferon|igra|t[- ]?spot|tri[ck]h?omon\w*|t\.? ?vaginalis)\b/
/** Others: an antibody that stays for life, IgG, is none. A number of them is judged by its flag and printed range. */
const other =
  /\b(hav|hev|hepatit\w* [ae]|hsv|herpes\w*|hpv|papillom\w*|cmv|cytomegal\w*|zytomegal\w*|ebv|epstein\w*|sars\w*|covid\w*|corona\w*|influenza\w*|rsv|mpox|monkeypox|ebola|dengue|chikungunya|west nile|rabies|mycoplasm\w*|mykoplasm\w*|ureaplasm\w*|legionell\w*|salmonell\w*|shigell\w*|[ck]ampylobac?ter|yersinia|vibrio|listeri\w*|borreli\w*|lyme|toxoplasm\w*|brucell\w*|coxiell\w*|rickett\w*|leptospir\w*|bordetell\w*|pertussis|candida|aspergill\w*|histoplasm\w*|pneumocyst\w*|giardia|lamblia|cryptosporid\w*|entam\w*|am(?:oe|e)b\w*|schistosom\w*|echinococc\w*|strongyloid\w*|leishman\w*|trypanosom\w*|clostridi\w*|c\.? ?diff\w*|stec|ehec|shiga\w*|mrsa|vre|meningococc\w*|pneumococc\w*|h\.? ?pylori|helicobacter|gardnerella|pathogen\w*|parasit\w*|pcr|naat?)\b/
const forLife = /\b(igg|immun\w*|vaccin\w*|titer|titre)\b/

/** LOINC codes of infections that the catalogue lacks: whatever the sender calls them. */
const codes = new Set(Object.values(infections.codes).flatMap((line) => line.split(' ')))

/** What a result's names and LOINC code say of an infection; undefined where they name none. */
export function infectionNamed({ name, alsoCalled = [], loinc, codes: own = [] }: Observation) {
  const names = [name, ...alsoCalled, ...own.map(({ name }) => name)].map(plainLetters)
  if ((loinc && codes.has(loinc)) || names.some((one) => grave.test(one))) return 'grave'
  return names.some((one) => other.test(one) && !forLife.test(one)) ? 'other' : undefined
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
