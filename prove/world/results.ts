import { setTimeout as delay } from 'node:timers/promises'
import { accessionOf } from './holds.ts'
import type { Means } from './means.ts'
import { type Lived, type LivedKit, personOf } from './model.ts'

const ORDERED_MS = 120_000
/** What else of the panel is measured, inside its reference interval. */
const others: readonly [name: string, value: number, unit: string][] = [
  ['Hemoglobin A1c', 5.2, '%'],
  ['Insulin', 6, 'uIU/mL'],
  ['Total Cholesterol', 170, 'mg/dL'],
  ['HDL Cholesterol', 60, 'mg/dL'],
  ['LDL Cholesterol', 90, 'mg/dL'],
  ['Triglycerides', 80, 'mg/dL'],
  ['hs-CRP', 0.5, 'mg/L'],
  ['Vitamin D, 25-Hydroxy', 45, 'ng/mL'],
  ['Ferritin', 80, 'ng/mL'],
  ['TSH', 1.5, 'mIU/L'],
  ['Free T4', 1.2, 'ng/dL'],
  ['ALT', 20, 'U/L'],
  ['AST', 20, 'U/L'],
  ['Albumin', 4.5, 'g/dL'],
  ['Creatinine', 0.8, 'mg/dL'],
  ['Cortisol', 12, 'ug/dL'],
  ['Total Testosterone', 30, 'ng/dL'],
  ['DHEA-S', 150, 'ug/dL'],
]

/**
 * Waits until the laboratory has the order of a kit. One that it refused is sent once more. Returns its number; `isAnswered`:
 * once Kitlane knows the number of the laboratory, too.
 */
export async function untilOrdered(
  kit: LivedKit,
  { stack, client, operate }: Means,
  { isAnswered }: { isAnswered: boolean },
): Promise<string> {
  const { laboratory } = stack
  for (const deadline = performance.now() + ORDERED_MS; performance.now() < deadline; await delay(500)) {
    const orders = Array.from({ length: 9 }, (_, round) => (round === 0 ? kit.id : `${kit.id}-${round + 1}`))
    const placer = orders.find((one) => laboratory.orders.get(one)?.isOver === undefined && laboratory.orders.has(one))
    if (placer !== undefined && !isAnswered) return placer
    if (!laboratory.orders.has(kit.id)) continue
    const { body } = await client.operator('GET', `/lab-orders/${kit.id}`)
    if (placer !== undefined && body.fillerNumber === `F${placer}`) return placer
    if (body.state === 'refused') await operate('POST', `/lab-orders/${kit.id}/route`, {})
  }
  const { text } = await client.operator('GET', `/lab-orders/${kit.id}`)
  throw new Error(`the laboratory has no order of ${kit.id} after ${ORDERED_MS / 1000} s: ${text}`)
}

/** What the laboratory found, under the number by which it names the sample. Returns the report. */
export async function sendResult(
  lived: Lived,
  kit: LivedKit,
  { operate }: Means,
  value: number,
  status: 'final' | 'corrected' = 'final',
): Promise<string> {
  const { plan } = lived
  const isNamed = plan.resultsBy === 'placer' || plan.resultsBy === 'filler'
  const number = plan.resultsBy === 'kit' ? { kitID: kit.id } : { accession: accessionOf(lived, kit) }
  const isWhole = plan.isWhole && status === 'final'
  const lines: typeof others = [['Glucose', value, 'mg/dL'], ...(isWhole ? others : [])]
  const results = lines.map(([name, result, unit]) => ({ name, value: result, unit }))
  const { body, text } = isNamed
    ? await operate('POST', '/lab/results', oru(lived, lines, status), {
        headers: { 'content-type': 'application/hl7-v2' },
      })
    : await operate('POST', '/lab/results', { ...number, status, results })
  const [report] = body.reports
  if (report?.status !== 'reported') throw new Error(`${plan.name}: its result is ${text.slice(0, 300)}`)
  if (isWhole && report.unmatched.length > 0) throw new Error(`${plan.name}: ${JSON.stringify(report.unmatched)}`)
  if (isWhole) kit.isComplete = true
  return report.reportID
}

function oru(lived: Lived, lines: typeof others, status: 'final' | 'corrected'): string {
  const { plan, born, lastName, placer = '' } = lived
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const [ours, theirs] = plan.resultsBy === 'placer' ? [placer, ''] : ['', `F${placer}`]
  return [
    `MSH|^~\\&|LIS|LAB|KITLANE|K|${now}||ORU^R01|${plan.name}${status}|P|2.5.1`,
    `PID|1||||${lastName}^${personOf(plan)}||${born.replaceAll('-', '')}|F`,
    `OBR|1|${ours}|${theirs}|24331-1^Lipid panel^LN`,
    ...lines.map(
      ([name, value, unit], index) =>
        `OBX|${index + 1}|NM|^${name}^L||${value}|${unit}|||||${status === 'corrected' ? 'C' : 'F'}`,
    ),
  ].join('\r')
}
