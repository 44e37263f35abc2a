import { readdirSync, readFileSync } from 'node:fs'
import { makePdf } from '../../../../test/samples/make-pdf.ts'
import type { Expected, Made } from '../truth.ts'
import type { Fresh } from './analytes.ts'
import { type Producer, produce } from './producers.ts'

// Each folder of `fresh` holds documents as a laboratory would print them: `=== format kind`, the document, `---`,
// and the reading; `pdf.words` is a PDF of one of the producers, `csv.latin1` and `hl7.latin1` a file in that encoding. `potassium 4.1 mmol/L` is a result, `potassium 4,1 = 4.1 mmol/L` one that is printed otherwise,
// `hbsag = negative | HBsAg | Negative` a finding by its name and text, `~ Name | text` a line that has to wait, `day 2026-03-11` the
// day of collection, and `all waits` a document that waits as a whole.

const endings = { hl7: 'hl7v2', fhir: 'fhir', csv: 'csv', pdf: 'pdf' } as const
type Ending = keyof typeof endings

const encodings = {
  bom: (text: string) => Buffer.from(`\uFEFF${text}`),
  utf16: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  latin1: (text: string) => Buffer.from(text, 'latin1'),
}
type Encoding = keyof typeof encodings

interface Written {
  ending: Ending
  producer?: Producer
  encoding?: Encoding
  kind: string
  body: string
  reading: string[]
}

const folders = [
  new URL('written/', import.meta.url),
  new URL('trial/', import.meta.url),
  new URL('abroad/', import.meta.url),
  new URL('wards/', import.meta.url),
  new URL('regions/', import.meta.url),
  new URL('regions2/', import.meta.url),
  new URL('stations/', import.meta.url),
  new URL('benches/', import.meta.url),
  new URL('counters/', import.meta.url),
  new URL('night/', import.meta.url),
  new URL('estuary/', import.meta.url),
  new URL('harbor/', import.meta.url),
  new URL('lagoon/', import.meta.url),
  new URL('atoll/', import.meta.url),
  new URL('reef/', import.meta.url),
  new URL('cove/', import.meta.url),
  new URL('strait/', import.meta.url),
  new URL('fjord/', import.meta.url),
  new URL('skerry/', import.meta.url),
  new URL('holm/', import.meta.url),
  new URL('heron/', import.meta.url),
  new URL('firth/', import.meta.url),
  new URL('tarn/', import.meta.url),
  new URL('heath/', import.meta.url),
  new URL('brae/', import.meta.url),
  new URL('glen/', import.meta.url),
]
const written: Written[] = folders
  .flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split(/^=== /m).slice(1)),
  )
  .map((section) => {
    const [, ending = '', variant, kind = '', rest = ''] = /^(\w+)(?:\.(\w+))? (.*)\n([\s\S]*)$/.exec(section) ?? []
    const [body = '', reading = ''] = rest.split(/^---$/m)
    const lines = reading.split('\n').filter((line) => line.trim() !== '')
    return {
      ending: ending as Ending,
      ...(variant &&
        (ending === 'csv' || ending === 'hl7' ? { encoding: variant as Encoding } : { producer: variant as Producer })),
      kind: `${ending}, written, ${kind}`,
      body,
      reading: lines,
    }
  })

const pointsOfLetter = 4.6
const edge = 36

const head = [
  'MSH|^~\\&|LIS|HARBOUR LAB|KITS|OPS|20260312104500||ORU^R01|W1|P|2.5.1',
  'PID|1||H-55871^^^HARBOUR^MR||Example^Robin^T||19780914|F',
]
const person = {
  resourceType: 'Patient',
  id: 'pat',
  name: [{ family: 'Example', given: ['Robin'] }],
  birthDate: '1978-09-14',
}

/** `{"o": ["id", "2823-3", "Potassium", 4.1, "mmol/L"], …}` is an Observation of the person with these and more. */
function resourceOf(line: string): object {
  const { o, ...more } = JSON.parse(line)
  if (!o) return more
  const [id, code, display, value, unit] = o
  return {
    ...{ resourceType: 'Observation', id, status: 'final', subject: { reference: 'Patient/pat' } },
    ...{ code: { coding: [{ system: 'http://loinc.org', code, display }] }, effectiveDateTime: '2026-03-11T08:15:00Z' },
    ...(value !== undefined && { valueQuantity: { value, unit } }),
    ...more,
  }
}

async function bytesOf({ ending, producer, encoding, body }: Written): Promise<Uint8Array> {
  if (producer) return produce(producer, body)
  if (ending === 'pdf') {
    const pages = body.split(/^-- page.*\n/m).map((page) => ({
      ...{ font: 'regular', fontSize: 8 },
      lines: page
        .replace(/\n$/, '')
        .split('\n')
        .map((line) =>
          [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }): [number, string] => [
            edge + index * pointsOfLetter,
            text,
          ]),
        ),
    }))
    return makePdf(pages)
  }
  const lines = body.split('\n').filter((line) => line !== '')
  const encoded = (text: string) => (encoding ? encodings[encoding](text) : Buffer.from(text))
  if (ending === 'csv') return encoded(body)
  if (ending === 'hl7') {
    const segments = [...(/^[MFB][SH][HS]/.test(lines[0] ?? '') ? [] : head), ...lines, '']
    return encoded(segments.join('\r'))
  }
  const resources = lines.map(resourceOf)
  const isAlone =
    (resources.length === 1 && 'contained' in (resources[0] ?? {})) ||
    resources.some((one) => 'resourceType' in one && one.resourceType === 'Bundle')
  const all = resources.some((one) => 'resourceType' in one && one.resourceType === 'Patient')
    ? resources
    : [person, ...resources]
  const bundle = { resourceType: 'Bundle', type: 'collection', entry: all.map((resource) => ({ resource })) }
  return Buffer.from(JSON.stringify(isAlone ? resources[0] : bundle))
}

function expectedOf(line: string): Expected {
  const [, name = '', text = ''] = /^~ (.*?) \| ?(.*)$/.exec(line) ?? []
  if (line.startsWith('~')) return { as: 'wait', name, text }
  const [, id = '', value = '', called = '', said = ''] = /^(\w+) = (.*?) \| (.*?) \| ?(.*)$/.exec(line) ?? []
  if (id) return { as: 'finding', biomarkerId: id, text: said, name: called, value, isCertain: true }
  const [, biomarkerId = '', printed = '', read, unit = ''] = /^(\w+) (\S+)(?: = (\S+))?(?: (.*))?$/.exec(line) ?? []
  const [, sign, digits = ''] = /^([<>]=?)?(.*)$/.exec(read ?? printed) ?? []
  const comparator = sign as '<' | undefined
  return {
    ...{
      as: 'result',
      biomarkerId,
      text: printed.replace(/^[<>]=?/, ''),
      value: Number(digits),
      unit,
      isCertain: true,
    },
    ...(comparator && { comparator }),
  }
}

async function makeOf(one: Written): Promise<Made> {
  const day = one.reading.map((line) => /^day (.*)$/.exec(line)?.[1]).find((said) => said !== undefined)
  const expected = one.reading.filter((line) => !/^(?:day |all waits)/.test(line)).map(expectedOf)
  return {
    ...{ format: endings[one.ending], bytes: await bytesOf(one), expected },
    ...(one.reading.includes('all waits') && { waits: true }),
    ...(day && { day: day === 'none' ? null : day }),
  }
}

/** Documents that are written as they are printed, by their kinds. */
export const freshWritten: readonly Fresh[] = [...Map.groupBy(written, ({ kind }) => kind)].map(([name, own]) => ({
  name,
  count: own.length,
  make: (index) => makeOf(own[index] as Written),
}))
