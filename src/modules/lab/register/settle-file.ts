import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import type { IdentifiedReport } from '@kitlane/lab-reader/identify/identify'
import type { Reason } from '@kitlane/lab-reader/identify/reasons'
import { unmatchedAs } from '@kitlane/lab-reader/identify/unmatched'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { decideStanding } from '@kitlane/lab-reader/standing/standing'
import { lineKey } from '../received/rules.ts'
import { knownAs, messageOf } from './register.ts'
import { saidIn } from './said-in.ts'
import { isSame, type Registered } from './weigh.ts'

/**
 * The reports of a file, with messages about the same results of one sample as one: what stands of them counts, in whatever
 * order they are in the file.
 */
export function settleFile(reports: readonly IdentifiedReport[], catalogue: readonly Biomarker[]): IdentifiedReport[] {
  const groups: IdentifiedReport[][] = []
  for (const ofSample of Map.groupBy(reports, sampleOf).values()) {
    const own: IdentifiedReport[][] = []
    for (const report of ofSample) {
      const same = own.find((group) => group.some((other) => speaksOfSame(report, other)))
      if (same) same.push(report)
      else own.push([report])
    }
    groups.push(...own)
  }
  return groups.map((group) => (group[1] === undefined && group[0] ? group[0] : settled(group, catalogue)))
}

const sampleOf = ({ message, collectedDate, accession, kitId }: IdentifiedReport) =>
  JSON.stringify([message?.sender, collectedDate?.slice(0, 10), accession, kitId])

/** Whether two messages about one sample speak of some of the same results. */
function speaksOfSame(one: IdentifiedReport, other: IdentifiedReport): boolean {
  const isMessage = one.message?.controlID !== undefined && other.message?.controlID !== undefined
  const isPart = one.message?.controlID === other.message?.controlID && one.message?.part !== other.message?.part
  if (!isMessage || isPart) return false
  const names = new Set(other.observations.map(({ name, loinc }) => loinc ?? name))
  return one.observations.some(({ name, loinc }) => names.has(loinc ?? name))
}

type Told = Registered & { observation: Observation }

function settled(group: readonly IdentifiedReport[], catalogue: readonly Biomarker[]): IdentifiedReport {
  const said: Told[] = []
  const documents: { id: string; reportId: null; message: ReturnType<typeof messageOf> & { place: number } }[] = []
  const passed = new Map<Observation, { code: Reason; because?: string | undefined }>()
  for (const [document, report] of group.entries()) {
    const message = { ...messageOf(report, ''), place: document }
    const { repeated, isContradicted } = knownAs({ documents, statements: [] }, message)
    documents.push({ id: '', reportId: null, message })
    if (!repeated && !isContradicted)
      said.push(...saidIn(report, report, catalogue).map((one) => ({ ...one, document })))
    else for (const one of report.observations) passed.set(one, { code: repeated ? 'superseded' : 'otherMessage' })
  }
  for (const same of Map.groupBy(said, ({ key }) => key).values()) {
    const { stands, rivals, unsettled } = decideStanding(same, isSame)
    for (const one of same) {
      if (one === stands || rivals.includes(one)) continue
      const isOpen = unsettled.includes(one)
      if (!isOpen) passed.set(one.observation, { code: 'superseded', because: stands && saidBy(stands, group) })
      else if (one.result)
        passed.set(one.observation, { code: stands?.status === 'corrected' ? 'afterCorrection' : 'afterWithdrawal' })
    }
  }
  const out = new Set([...passed.keys()].map(lineKey))
  const left = <T extends Parameters<typeof lineKey>[0]>(items: readonly T[]) =>
    items.filter((one) => !out.has(lineKey(one)))
  const last = group.at(-1) as IdentifiedReport
  return {
    ...last,
    observations: group.flatMap(({ observations }) => observations),
    results: left(group.flatMap(({ results }) => results)),
    unmatched: [
      ...left(group.flatMap(({ unmatched }) => unmatched)),
      ...[...passed].map(([observation, { code, because }]) =>
        unmatchedAs(observation, code, { suggestions: [], catalogue, because }),
      ),
    ],
    converted: group.flatMap(({ converted }) => converted),
    specimenErrors: [...new Set(group.flatMap(({ specimenErrors }) => specimenErrors))],
  }
}

/** Which message says what stands. */
function saidBy({ document, status, observation }: Told, group: readonly IdentifiedReport[]): string {
  const says = status === 'withdrawn' ? 'takes it back' : `says ${observation.valueText} (${status})`
  return `message ${group[document]?.message?.controlID ?? document + 1} ${says}`
}
