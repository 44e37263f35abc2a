import { hl7Time } from '../parse/date.ts'
import { isBefore } from '../standing/laboratory-time.ts'
import guide from './guide.json' with { type: 'json' }

// Messages to public health by "Electronic Laboratory Reporting to Public Health", HL7 2.5.1, Release 1 (US Realm).
const profiles = { 'PHLabReport-Ack': '2.16.840.1.113883.9.10', 'PHLabReport-NoAck': '2.16.840.1.113883.9.11' } as const
/** MSH-21. */
export function profileOf({ acknowledges }: { acknowledges: boolean }): string {
  const name = acknowledges ? 'PHLabReport-Ack' : 'PHLabReport-NoAck'
  return `${name}^phLabResultsELRv251^${profiles[name]}^ISO`
}
export const CLIA = /^\d{2}D\d{7}$/

// The rules are facts of guide.json; `provider` to `received` are ours: authorities want what the guide lets be empty, and times in their order.

const OID = /^[0-2](\.(0|[1-9]\d*)){2,}$/
const ZONE = String.raw`[+-]\d{4}`
const SECONDS = String.raw`\d{14}(\.\d{1,4})?`

const parts = (text: string, by = '^'): string[] => text.split(by)
const part = (text: string, number: number): string => parts(text)[number - 1] ?? ''

/** A time of such a form that there is. */
const time = (form: string) => {
  const pattern = new RegExp(`^(${form})$`)
  return (text: string): boolean => {
    const [, year, month = '01', day = '01', hour = '00', minute = '00'] =
      /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?/.exec(text) ?? []
    const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)))
    const isReal =
      Number.isFinite(at.getTime()) && at.toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}`)
    return pattern.test(text) && isReal
  }
}

/** Whether a universal ID has the form of its kind. */
export const isUniversalId = (id: string, kind: string): boolean =>
  kind === 'ISO' ? OID.test(id) : kind === 'CLIA' && CLIA.test(id)

function isDesignator(text: string, by = '^'): boolean {
  const [, id = '', kind = ''] = parts(text, by)
  return isUniversalId(id, kind)
}

function isEntity(text: string, by = '^'): boolean {
  const [id = '', , oid = '', kind = ''] = parts(text, by)
  return id !== '' && OID.test(oid) && kind === 'ISO'
}

/** Each code names its system, one without a code has its text, and a LOINC has the form of one. */
function isCoded(text: string): boolean {
  const [code = '', , system = '', other = '', , otherSystem = '', , , original = ''] = parts(text)
  const isRight = (one: string, of: string) => one === '' || (of === 'LN' ? /^\d{1,5}-\d$/.test(one) : of !== '')
  return isRight(code, system) && isRight(other, otherSystem) && [code, other, original].some(Boolean)
}

const forms: Readonly<Record<string, (text: string) => boolean>> = {
  second: time(`${SECONDS}${ZONE}`),
  minute: time(String.raw`(\d{12}|${SECONDS})${ZONE}`),
  day: time(String.raw`(\d{8}|\d{10}|\d{12}|${SECONDS})(${ZONE})?`),
  year: time(String.raw`(\d{4}|\d{6}|\d{8}|\d{10}|\d{12}|${SECONDS})(${ZONE})?`),
  designator: (text) => isDesignator(text),
  entity: (text) => isEntity(text),
  sampleNumber: (text) => isEntity(part(text, 2), '&'),
  number: (text) => part(text, 1) !== '' && isDesignator(part(text, 4), '&') && part(text, 5) !== '',
  profile: (text) =>
    Object.entries(profiles).some(([name, oid]) => part(text, 1) === name && part(text, 3) === oid) &&
    part(text, 4) === 'ISO',
  coded: isCoded,
  address(text) {
    const [street, , city, state = '', zip = ''] = parts(text)
    return Boolean(street || city || state) && /^([A-Z]{2}|\d{2})?$/.test(state) && /^(\d{5}(-\d{4})?)?$/.test(zip)
  },
  organization(text) {
    const [name, , , , , authority = '', kind, , , id = ''] = parts(text)
    return id === '' ? Boolean(name) : isDesignator(authority, '&') && kind === 'XX' && CLIA.test(id)
  },
  provider(text) {
    const [id = '', family] = parts(text)
    if (id === '') return Boolean(family)
    return isDesignator(part(text, 9), '&') && part(text, 13) === 'NPI' && /^\d{10}$/.test(id)
  },
  phone: (text) => part(text, 4) !== '' || (/^\d{3}$/.test(part(text, 6)) && /^\d{7}$/.test(part(text, 7))),
}

type Get = (at: string) => string

/** One rule of the guide, and whether a message breaks it. */
export interface GuideRule {
  id: string
  words: string
  isBroken(get: Get): boolean
}

const ofFields = guide.fields.flatMap(({ at, usage, what, form, max }): GuideRule[] => {
  const isRight = Array.isArray(form) ? (text: string) => form.includes(text) : forms[form ?? '']
  const isWrong = (get: Get) =>
    get(at) !== '' &&
    !get(at)
      .split('~')
      .every((one) => isRight?.(one) ?? true)
  const rule = (kind: string, words: string, isBroken: GuideRule['isBroken']) => ({
    ...{ id: `${at} ${kind}`, words: `${at}: ${what} ${words}`, isBroken },
  })
  return [
    ...(usage === 'R' ? [rule('R', 'is missing', (get) => get(at) === '')] : []),
    // What separates repetitions stands in the field that says so.
    ...(isRight
      ? [
          rule(
            'form',
            'has a form or a code that the guide does not allow',
            at === 'MSH-2' ? (get) => get(at) !== '' && !isRight(get(at)) : isWrong,
          ),
        ]
      : []),
    ...(max ? [rule('length', `is longer than ${max} characters`, (get) => get(at).length > max)] : []),
  ]
})

const isAck = (get: Get): boolean => part(get('MSH-21'), 1) === 'PHLabReport-Ack'
const isNumeric = (get: Get): boolean => ['NM', 'SN'].includes(get('OBX-2')) && get('OBX-11') !== 'X'

/** Rules about several fields, by the keys of their words. */
const predicates: Record<Exclude<keyof typeof guide.words, 'segments'>, GuideRule['isBroken']> = {
  'ELR-019': (get) => (isAck(get) ? get('MSH-15') !== 'AL' : !['', 'NE'].includes(get('MSH-15'))),
  'ELR-020': (get) => !(isAck(get) ? ['AL', 'NE', 'ER', 'SU'] : ['', 'NE']).includes(get('MSH-16')),
  'ELR-035': (get) => get('ORC-2') !== get('OBR-2'),
  'ELR-036': (get) => get('ORC-3') !== get('OBR-3'),
  'ELR-037': (get) => get('ORC-12') !== get('OBR-16'),
  'ELR-038': (get) => get('ORC-14') !== get('OBR-17'),
  'ELR-051': (get) => get('OBX-14') !== get('OBR-7'),
  'OBX-2 C': (get) => get('OBX-5') !== '' && !['CWE', 'SN', 'NM', 'ST', 'TX'].includes(get('OBX-2')),
  'OBX-5 C': (get) => (get('OBX-5') === '') !== (get('OBX-11') === 'X'),
  'OBX-5 CWE': (get) => get('OBX-2') === 'CWE' && (part(get('OBX-5'), 1) === '' || !isCoded(get('OBX-5'))),
  'OBX-5 SN': (get) =>
    get('OBX-2') === 'SN' && !/^(=|<|>|<>|<=|>=)?\^-?\d+(\.\d+)?(\^[-:/.+](\^\d+(\.\d+)?)?)?$/.test(get('OBX-5')),
  'OBX-6 C': (get) => isNumeric(get) && (part(get('OBX-6'), 1) === '' || part(get('OBX-6'), 3) !== 'UCUM'),
  provider: (get) => get('ORC-12') === '',
  name: (get) => part(get('PID-5'), 1) === '' || part(get('PID-5'), 2) === '',
  birth: (get) => get('PID-7') === '',
  address: (get) => get('PID-11') === '',
  loinc: (get) => part(get('OBX-3'), 3) !== 'LN',
  received: (get) => isBefore(hl7Time(get('SPM-18'), undefined), hl7Time(get('SPM-17'), undefined)),
}

const ofSeveral = Object.entries(predicates).map(
  ([id, isBroken]): GuideRule => ({ id, words: guide.words[id as keyof typeof predicates], isBroken }),
)

export const guideRules: readonly GuideRule[] = [...ofFields, ...ofSeveral]

/** The rules that a message breaks, each with its words. Without the segments that the guide wants, that alone. */
export function violationsOf(text: string): Pick<GuideRule, 'id' | 'words'>[] {
  const lines = text.split('\r').filter(Boolean)
  const segments = new Map(lines.map((line) => [line.slice(0, 3), line.split('|')]))
  if (lines.map((line) => line.slice(0, 4)).join('') !== 'MSH|SFT|PID|ORC|OBR|OBX|SPM|')
    return [{ id: 'segments', words: guide.words.segments }]
  const get: Get = (at) => {
    const [name = '', number] = at.split('-')
    // The first field of a header is the separator itself.
    return segments.get(name)?.[Number(number) - (name === 'MSH' ? 1 : 0)] ?? ''
  }
  return guideRules.filter((rule) => rule.isBroken(get))
}
