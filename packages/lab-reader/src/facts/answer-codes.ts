import type { Presence } from './finding-schema.ts'
import { normaliseName } from './match.ts'

/** One code of a coded answer. */
export interface AnswerCode {
  code: string
  /** As the sender names it; empty where it does not. */
  system: string
}

/** What one repetition of a coded answer says: all of its codes and all of its texts. */
export interface Answer {
  codes: AnswerCode[]
  texts: string[]
}

/** What a code of a result says: a finding, a step of a test strip, or that there is no result. */
export type Meaning = Presence | 'trace' | '1+' | '2+' | '3+' | '4+' | 'noResult'

type System = 'snomed' | 'loinc' | 'hl70078' | 'hl70136' | 'hl70532'

/** Qualifier values of SNOMED CT, answers of LOINC, and HL7 tables 0078, 0136 and 0532. */
const table: Record<System, Partial<Record<Meaning, string>>> = {
  snomed: {
    negative: '260385009 260415000 131194007 2667000 264887000 410516002 410594000 47492008 264868006',
    positive: '10828004 260373001 11214006 52101004 46651001 410515003 410605003 260408008',
    indeterminate: '82334004 42425007 419984006 280414007 280416009 373068000',
    trace: '260405006',
    '1+': '260347006 441614007',
    '2+': '260348001 441517005',
    '3+': '260349009 441521003',
    '4+': '260350009',
    // The last three are presumed, or of a pool of several people.
    noResult:
      '125154007 373121007 385432009 261665006 276727009 385660001 455371000124106 720735008 895231008 462371000124108',
  },
  loinc: {
    negative: 'LA6577-6 LA11883-8 LA15256-3 LA9634-2',
    positive: 'LA6576-8 LA11882-0 LA15255-5 LA9633-4',
    indeterminate: 'LA11884-6 LA11885-3 LA9663-1',
    trace: 'LA11832-5',
    noResult: 'LA4489-6 LA13548-5',
  },
  hl70078: {
    negative: 'NEG ND NR',
    positive: 'POS DET RR WR',
    indeterminate: 'IND E',
    noResult: 'NULL QCF TOX',
  },
  hl70136: { negative: 'N', positive: 'Y' },
  hl70532: { negative: 'N', positive: 'Y', noResult: 'NI NA UNK NASK ASKU NAV NP' },
}

const systems: [System, RegExp][] = [
  [
    'snomed',
    /^(SCT|SCTID|SNM\d?|SNMI|SNOMED(-?\s?CT)?|https?:\/\/snomed\.info\/sct.*|(urn:oid:)?2\.16\.840\.1\.113883\.6\.96)$/i,
  ],
  ['loinc', /^(LN|LOINC|https?:\/\/loinc\.org\/?|(urn:oid:)?2\.16\.840\.1\.113883\.6\.1)$/i],
  [
    'hl70078',
    /^(HL7)?0078$|v2-0078$|v3-ObservationInterpretation$|^(urn:oid:)?2\.16\.840\.1\.113883\.(12\.78|18\.23|5\.83)$/i,
  ],
  ['hl70136', /^(HL7)?0136$|v2-0136$|^(urn:oid:)?2\.16\.840\.1\.113883\.12\.136$/i],
  ['hl70532', /^(HL7)?0532$|v2-0532$|^(urn:oid:)?2\.16\.840\.1\.113883\.12\.532$/i],
]

const meanings = Object.fromEntries(
  Object.entries(table).map(([system, codes]) => [
    system,
    new Map(
      Object.entries(codes).flatMap(([meaning, all]) =>
        all.split(' ').map((code) => [code, meaning as Meaning] as const),
      ),
    ),
  ]),
) as Record<System, Map<string, Meaning>>

const systemOf = ({ code, system }: AnswerCode): System | undefined => {
  const named = systems.find(([, pattern]) => pattern.test(system.trim()))?.[0]
  if (named || system.trim() !== '') return named
  // Codes of SNOMED and answers of LOINC can be told without their system.
  return meanings.snomed.has(code) ? 'snomed' : /^LA\d{2,6}-\d$/.test(code) ? 'loinc' : undefined
}

/** Whether a code is one of SNOMED CT, as its sender names the system. */
export const isSnomed = (system: string | undefined): boolean =>
  systems.some(([name, pattern]) => name === 'snomed' && pattern.test(system?.trim() ?? ''))

/** What a code means; undefined for a local one, `unknown` for one of a public system that the table lacks. */
export function meaningOfCode(one: AnswerCode): Meaning | 'unknown' | undefined {
  const code = one.code.trim()
  const system = systemOf({ ...one, code })
  if (code === '' || !system) return undefined
  return meanings[system].get(system === 'snomed' ? code : code.toUpperCase()) ?? 'unknown'
}

const ofWords = new Map<string, readonly [string, string]>([
  ['detected', ['260373001', 'Detected']],
  ['not detected', ['260415000', 'Not detected']],
  ['reactive', ['11214006', 'Reactive']],
  ...['nonreactive', 'non reactive'].map((word) => [word, ['131194007', 'Non-reactive']] as const),
])

/** The code and name of SNOMED CT for a laboratory's own word, where that is one of them and not just positive or negative. */
export const snomedOfText = (text: string): readonly [string, string] | undefined => ofWords.get(normaliseName(text))

/** The code of SNOMED CT by which a finding is told to others. */
export const snomedOf = (meaning: Exclude<Meaning, 'noResult'>): string => table.snomed[meaning]?.split(' ')[0] ?? ''
