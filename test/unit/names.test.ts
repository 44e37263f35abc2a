import { spanish } from '@kitlane/display/spanish'
import catalogue from '@kitlane/lab-reader/facts/data/biomarkers.json' with { type: 'json' }
import { categoryLabels } from '@kitlane/lab-reader/facts/schema'
import { factOf, insteadOfNumber, inWords, reasons } from '@kitlane/lab-reader/identify/reasons'
import { describe, expect, it } from 'vitest'
import said from '../../src/domain/translations/said.json' with { type: 'json' }
import { type Language, languages, translatorOf } from '../../src/domain/translations/translator.ts'
import { factWords } from '../../src/modules/reports/render/words.ts'
import { differences } from '../harness/message-shape.ts'

const nameIn = (language: Language, name: string) => translatorOf(language).maybeNameOf(name)
const kinds = ['label', 'simpleLabel', 'shortLabel'] as const
const { biomarkers } = catalogue
const english = [...new Set(biomarkers.flatMap((one) => kinds.map((kind) => one[kind])))]
const others = languages.filter((language) => language !== 'en')

// What laboratories print alike in every language: abbreviations, and with them the numbers and letters of a name.
const ABBREVIATIONS =
  /^(HbA1c|eAG|HOMA-IR|TIBC|UIBC|TSAT|B12|MMA|[HLV]+DL|VLDL|ApoA1|ApoB|Lp\(a\)|ESR|SHBG|FAI|E2|FSH|LH|AMH|DHEA-S|PSA|IGF-1|TSH|f?T[34]|rT3|A[LS]T|ALP|GGT|BUN|eGFR( \(CKD-EPI 2021\))?|WBC|RBC|Hct|MC[VH]|MCHC|RDW|MPV|NLR|INR|aPTT|N?T?-?(pro)?BNP|ACTH|hCG|CA [\d-]+|CYFRA 21-1|S100B|TNF alpha|hs-CRP|HBsAg|HIV( Ag\/Ab)?|(TG|LDL|LH|A):\w+|ApoB:ApoA1|BUN:Cr|Anti-[\w-]+( \((Ro|La)\))?|pH)$/
// Species have Latin names, which Spanish, French and German print as they are.
const SPECIES =
  /^(Chlamydia trachomatis|Neisseria gonorrhoeae|Trichomonas vaginalis|Mycoplasma genitalium)( \(NAAT\))?$|^Coronavirus$/
// Words that the language shares with English.
const SHARED: Readonly<Record<string, string>> = {
  es: 'Cortisol;Estradiol;Urea;Zinc;Beta-hCG;Hepatitis B',
  fr: 'Aldolase;Amylase;Calcium;Carnitine;Cobalt;Coenzyme Q10;Cortisol;Cotinine;Estradiol;Estrone;Fructosamine;Glucagon;Glucose;Inflammation;Lactate;Lipase;Lymphocytes;Lymphocytes %;Lysozyme;Monocytes;Monocytes %;Nickel;Potassium;Pyruvate;Sodium;Tryptase;Zinc',
  de: '1,25-Dihydroxyvitamin D;Albumin;Aldolase;Alpha-Fetoprotein;Alpha-Tocopherol;Amylase;Apolipoprotein A-II;Apolipoprotein A1;Apolipoprotein B;Apolipoprotein E;Beta-hCG;Bilirubin;Biotin;Calcidiol (25-Hydroxyvitamin D3);Calcitonin;Calcium;Cholinesterase;Chromogranin A;Cortisol;Cystatin C;D-Dimer (DDU);D-Dimer (FEU);Erythropoietin;Estradiol;Ethanol;Ferritin;Fibrinogen;Gastrin;Globulin;Glucose;Haptoglobin;Hepatitis B;Inhibin A;Inhibin B;Insulin;Interleukin 1 beta;Interleukin 10;Interleukin 6;Interleukin 8;Leptin;Lipase;Lipoprotein(a);Magnesium;Melatonin;Myoglobin;Nickel;Non-HDL;Osteocalcin;Procalcitonin;Proinsulin;Serotonin;Transferrin;Troponin I;Troponin T;Tryptase;Vitamin A;Vitamin B1;Vitamin B12;Vitamin B6;Vitamin C;Vitamin D;Vitamin E;Vitamin K1',
}

describe.each(others)('the names of biomarkers in %s', (language) => {
  it('are all there: the full one, the short one, the one in everyday words, and those of the categories', () => {
    expect(english.length).toBeGreaterThan(800)
    expect([...english, ...Object.values(categoryLabels)].filter((one) => !nameIn(language, one))).toEqual([])
  })

  it.each(['label', 'simpleLabel'] as const)('differ from one another (%s)', (kind) => {
    const names = biomarkers.map((one) => nameIn(language, one[kind])?.toLowerCase())
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('are English only where the language has that word, an abbreviation or a Latin name', () => {
    const shared = SHARED[language]?.split(';') ?? []
    const same = english.filter((one) => nameIn(language, one) === one)
    const reasoned = (one: string) => ABBREVIATIONS.test(one) || SPECIES.test(one) || shared.includes(one)
    expect(same.filter((one) => !reasoned(one))).toEqual([])
    expect(shared.filter((one) => !same.includes(one))).toEqual([])
  })

  it('have no part of a rule or of the table left in them', () => {
    expect(english.filter((one) => /[{}|=]/.test(nameIn(language, one) ?? ''))).toEqual([])
  })
})

describe('a name', () => {
  it('is made of parts: the organism and what is looked for, the specimen, fasting', () => {
    expect(nameIn('de', 'Glucose (fasting)')).toBe('Glucose (nüchtern)')
    expect(nameIn('es', 'Chlamydia trachomatis DNA (Urine)')).toBe('Chlamydia trachomatis, ADN (orina)')
    expect(nameIn('fr', 'Factor VIII Activity')).toBe('Facteur VIII, activité')
    expect(nameIn('ja', 'Rubella IgG')).toBe('風疹IgG抗体')
    expect(nameIn('ar', 'Hemoglobin A1c')).toBe('الهيموغلوبين السكري (HbA1c)')
  })

  it('that an operator gave a biomarker is not guessed: it stays English', () => {
    for (const name of ['Zebra Factor', 'Zebra (Urine)', 'Free Zebra', 'Hemoglobin A1c (our method)', ''])
      expect(nameIn('es', name), name).toBeUndefined()
    expect(nameIn('en', 'Zebra Factor')).toBe('Zebra Factor')
  })
})

describe('the sentences of a report', () => {
  const why = [...Object.values({ ...reasons, ...insteadOfNumber }), inWords]

  it.each(others)(
    'say in %s every reason for which a result was not judged, and nothing of it in English',
    (language) => {
      const t = translatorOf(language)
      const table = (fact: string) =>
        said[fact as keyof typeof said].split('|')[['fr', 'de', 'ja', 'ar'].indexOf(language)]
      for (const reason of why) {
        const text = factWords(t, reason)
        expect(text).not.toBe(factOf(reason))
        if (language !== 'es') expect(text).toBe(table(factOf(reason)))
        expect(factWords(t, `${reason}: “g/mmol” is not known`)).toBe(`${text}: “g/mmol”`)
      }
    },
  )

  it('are said in French, German, Japanese and Arabic, each with the values of the English one', () => {
    for (const [index, language] of ['fr', 'de', 'ja', 'ar'].entries()) {
      const translated = Object.entries(said).map(([message, line]) => [message, line.split('|')[index] ?? ''])
      const same = Object.fromEntries(Object.keys(said).map((message) => [message, message]))
      expect(differences(same, Object.fromEntries(translated), language)).toEqual([])
    }
    expect(Object.values(said).filter((line) => line.split('|').length !== 4)).toEqual([])
  })

  it('are ones that a rule says, in Spanish too', () => {
    const facts = why.map(factOf)
    expect(Object.keys(said).filter((one) => one !== 'normal' && !(one in spanish) && !facts.includes(one))).toEqual([])
  })
})
