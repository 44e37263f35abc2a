import type { Random } from '../../../../prove/random.ts'
import type { Page, Printed } from '../../../../test/samples/make-pdf.ts'
import { type Language, languages, type Measured, measure, print } from '../facts.ts'
import type { DocumentClass, Expected, Made } from '../truth.ts'
import { aLayout, documentOf, head, line, localHead, rangeText } from './pdf-lines.ts'
import { below, result } from './result.ts'
import { headings } from './words.ts'

/** A long name is printed on two lines, and remarks stand between the rows. */
async function wrapped(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const lines = [...head(random), line(layout, headings(random))]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(5, 10))) {
    const text = print(one.value, one.fact.decimals)
    const [first, second] = /^(.+,) (.+)$/.exec(one.name)?.slice(1) ?? [one.name, undefined]
    const cells = { value: text, unit: one.fact.unit, range: rangeText(random, one) }
    lines.push(line(layout, { name: first ?? one.name, ...cells }))
    if (second) lines.push([[36, second]])
    expected.push(result(one, text, { isCertain: second === undefined }))
    if (random.between(0, 3) === 0) lines.push([[36, 'Results should be read together with the clinical findings.']])
  }
  return documentOf([{ lines }], expected)
}

/** A table that goes on over several pages, with or without its headings. */
async function pages(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const headed = random.between(0, 1) === 0
  const words = headings(random)
  const expected: Expected[] = []
  const made: Page[] = []
  const all = measure(random, 18)
  for (let number = 0; number < 3; number++) {
    const lines: Printed[] = number === 0 ? [...head(random)] : [[[36, `Page ${number + 1} of 3`]], []]
    if (number === 0 || headed) lines.push(line(layout, words))
    for (const one of all.splice(0, 6)) {
      const text = print(one.value, one.fact.decimals)
      lines.push(line(layout, { name: one.name, value: text, unit: one.fact.unit, range: rangeText(random, one) }))
      expected.push(result(one, text, { isCertain: number === 0 || headed }))
    }
    made.push({ lines })
  }
  return documentOf(made, expected)
}

const urine: Record<Language, readonly string[]> = {
  en: ['Urine', 'URINALYSIS', 'Urine, 24 hour'],
  de: ['Urin', 'Urinstatus', 'Spontanurin', 'Speichel', 'Stuhl'],
  fr: ['Urines', 'Examen des urines', 'Salive', 'Selles'],
  es: ['Orina', 'Análisis de orina', 'Saliva', 'Heces'],
  it: ['Urine', 'Esame urine', 'Saliva', 'Feci'],
  da: ['Urin', 'Spyt', 'Afføring'],
}

/** Below a title that names another specimen, in the language of the report. */
const otherSpecimen = (language: Language) =>
  async function specimens(random: Random): Promise<Made> {
    const layout = aLayout(random)
    const lines = [
      ...(language === 'en' ? head(random) : localHead[language](random)),
      line(layout, headings(random, language)),
    ]
    const expected: Expected[] = []
    const comma = language !== 'en'
    const push = (one: Measured, title?: string) => {
      const text = print(one.value, one.fact.decimals, { comma })
      lines.push(
        line(layout, { name: one.name, value: text, unit: one.fact.unit, range: rangeText(random, one, comma) }),
      )
      expected.push(title === undefined ? result(one, text) : below(title, one, text))
    }
    const all = measure(random, 9, language)
    for (const one of all.slice(0, 5)) push(one)
    const title = random.pick(urine[language])
    lines.push([], [[36, title]])
    for (const one of all.slice(5)) push(one, title)
    return documentOf([{ lines }], expected)
  }

/** A cut name may be that of something else, as that of "C-Reactive Protein, Cardiac" is: a short one comes first. */
const fitting = ({ name, fact }: Measured) =>
  name.length <= 18 ? name : (fact.names.en.find((one) => one.length <= 18) ?? name.slice(0, 18))

/** Two tables stand side by side under one line of headings each. */
async function sideBySide(random: Random): Promise<Made> {
  const left = { at: { name: 30, value: 130, unit: 175, range: 230 } }
  const right = { at: { name: 310, value: 430, unit: 475, range: 530 } }
  const words = { name: 'Test', value: 'Result', unit: 'Units', range: 'Range' }
  const lines = [...head(random), [...line(left, words), ...line(right, words)]]
  const expected: Expected[] = []
  const all = measure(random, 10)
  for (let row = 0; row < 5; row++) {
    const both = [left, right].map((layout, side) => {
      const one = all[2 * row + side]
      if (!one) throw new Error('too few facts')
      const text = print(one.value, one.fact.decimals)
      expected.push(result(one, text, { isCertain: false }))
      return line(layout, {
        name: fitting(one),
        value: text,
        unit: one.fact.unit,
        range: rangeText(random, one),
      })
    })
    lines.push(both.flat())
  }
  return documentOf([{ lines, fontSize: 6 }], expected)
}

/** A page that was printed or saved on its side, or upside down, with its text layer. */
async function turned(random: Random): Promise<Made> {
  const layout = aLayout(random)
  const lines = [...head(random), line(layout, headings(random))]
  const expected: Expected[] = []
  for (const one of measure(random, random.between(5, 12))) {
    const text = print(one.value, one.fact.decimals)
    lines.push(line(layout, { name: one.name, value: text, unit: one.fact.unit, range: rangeText(random, one) }))
    expected.push(result(one, text))
  }
  return documentOf([{ lines, turn: random.pick([90, 180, 270]) }], expected)
}

export const pdfPageClasses: readonly DocumentClass[] = [
  { name: 'pdf, wrapped names', make: wrapped },
  { name: 'pdf, several pages', make: pages },
  { name: 'pdf, side by side', make: sideBySide },
  { name: 'pdf, turned pages', make: turned },
  ...languages.map((language) => ({ name: `pdf, other specimen, ${language}`, make: otherSpecimen(language) })),
]
