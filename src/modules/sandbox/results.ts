import { findingOf, titreOf } from '@kitlane/lab-reader/facts/findings'
import { matchBiomarker } from '@kitlane/lab-reader/facts/match'
import type { Sex } from '@kitlane/lab-reader/facts/schema'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import { randomFraction } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import type { PanelQuestion } from '../catalogue/question-schema.ts'
import type { Biomarker } from '../catalogue/schema.ts'
import { biomarkers, findPanel } from '../catalogue/service.ts'
import type { Answers } from '../collection/questions.ts'
import { give, maybeFind, questionsOf } from '../collection/service.ts'
import { lockKit } from '../kits/move.ts'
import type { KitRow } from '../kits/queries.ts'
import { receiveResults } from '../reports/versions/receive.ts'
import { type PlausibleKind, plausibleResults } from './plausible.ts'
import type { SandboxResult } from './schema.ts'

export interface Delivery {
  kind?: PlausibleKind | undefined
  /** Exact values; the rest of the panel is made up. */
  exact?: readonly SandboxResult[] | undefined
}

/** Sends a mock laboratory's results for a registered kit. @throws what receiveResults throws, VALIDATION_FAILED */
export async function deliverResults(
  tx: Tx,
  kit: KitRow,
  { kind = 'normal', exact = [] }: Delivery,
): Promise<{ reportId: string }> {
  const catalogue = await biomarkers(tx)
  const panel = await findPanel(tx, kit.kitType)
  const wanted = exactResults(catalogue, exact)
  const made = plausibleResults(catalogue, panel.biomarkers, {
    ...subjectOf(kit, tx.now),
    random: randomFraction,
    kind,
  })
  const named = new Set([...wanted, ...made].map(({ biomarkerId }) => biomarkerId))
  const overridden = new Set(wanted.map(({ biomarkerId }) => biomarkerId))
  const computed = new Set(
    catalogue.flatMap(({ id, derived }) => (derived?.inputs.every((input) => named.has(input)) ? [id] : [])),
  )
  // What the service computes itself is left to it, so that it fits the exact values.
  const all: NewResult[] = [...made, ...expectedFindings(catalogue, panel.biomarkers)]
  // Of what the person said the mock laboratory says nothing.
  const said = await maybeFind(tx, kit)
  const silent = (result: NewResult): NewResult =>
    said?.answers.fasting === undefined ? result : { ...result, fasting: undefined }
  const rest = all.filter(({ biomarkerId: id }) => !overridden.has(id) && !computed.has(id))
  const today = tx.now.toISOString().slice(0, 10)
  return receiveResults(tx, {
    kitId: kit.id,
    results: [...wanted, ...rest].map(silent),
    partial: kind === 'partial',
    ...(!said && { collectedDate: kit.progress.sampleInTransit?.slice(0, 10) ?? today }),
    resultedDate: today,
  })
}

/** The person of a mock kit says when the sample was taken, and answers what is asked. */
export async function sayOfMock(tx: Tx, kitId: string): Promise<void> {
  const kit = await lockKit(tx, kitId)
  const collectedDate = tx.now.toISOString().slice(0, 16)
  const answers = mockAnswers(await questionsOf(tx, kit), collectedDate)
  await give(tx, kitId, { collectedDate, zone: 'UTC', answers }, 'person')
}

function mockAnswers(questions: readonly PanelQuestion[], now: string): Answers {
  const known: Answers = {
    ...{
      fasting: 12,
      cyclePhase: 'follicular',
      cycleDay: 5,
      pregnant: 'no',
      medication: ['none'],
      timeOfLastDose: now,
    },
  }
  const own = ({ type, choices = [] }: PanelQuestion) =>
    ({ choice: choices[0]?.id ?? '', number: 7, date: now.slice(0, 10), text: 'Sandbox' })[type ?? 'text']
  return Object.fromEntries(questions.map((question) => [question.id, known[question.id] ?? own(question)]))
}

function exactResults(catalogue: readonly Biomarker[], exact: readonly SandboxResult[]): NewResult[] {
  const details: { message: string; path: string }[] = []
  const results = exact.flatMap(({ biomarker: text, result, unit }, index) => {
    const biomarker = matchBiomarker(catalogue, { name: text }) ?? matchBiomarker(catalogue, { loinc: text })
    const made = biomarker && exactResult(biomarker, result, unit)
    if (made) return [made]
    details.push(
      biomarker
        ? { message: 'This biomarker has no such results', path: `results.${index}.result` }
        : { message: 'There is no such biomarker', path: `results.${index}.biomarker` },
    )
    return []
  })
  if (details.length > 0) refuse(details)
  return results
}

function exactResult(biomarker: Biomarker, result: SandboxResult['result'], unit?: string): NewResult | undefined {
  const { id, scale } = biomarker
  const isNumber = !scale || scale.kind === 'titre'
  if (!('text' in result))
    return isNumber ? { biomarkerId: id, ...result, unit: unit ?? biomarker.unit, fasting: true } : undefined
  if (!scale) return undefined
  const rawResult = result.text
  const finding = findingOf(scale, rawResult)
  if (finding) return { biomarkerId: id, finding, rawResult }
  const titre = scale.kind === 'titre' ? titreOf(rawResult) : undefined
  return titre && { biomarkerId: id, ...titre, unit: biomarker.unit, rawResult }
}

/** What is expected of each biomarker of the panel whose results are words. */
function expectedFindings(catalogue: readonly Biomarker[], panel: readonly string[]): NewResult[] {
  return catalogue.flatMap(({ id, scale }) => {
    if (!scale || scale.kind === 'titre' || !panel.includes(id)) return []
    const finding = findingOf(scale, scale.expected[0] ?? 'negative')
    return finding ? [{ biomarkerId: id, finding }] : []
  })
}

function subjectOf({ registration }: KitRow, now: Date): { sex: Sex; ageYears: number } {
  const registered = registration as { dateOfBirth?: string; sex?: Sex } | null
  const age = now.getUTCFullYear() - Number((registered?.dateOfBirth ?? '').slice(0, 4) || now.getUTCFullYear() - 40)
  return { sex: registered?.sex ?? 'F', ageYears: age }
}
