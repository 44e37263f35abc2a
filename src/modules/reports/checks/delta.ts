import { valueText } from '@kitlane/display/report-text'
import type { Sex } from '@kitlane/lab-reader/facts/schema'
import { type BiologicalVariation, biologicalVariation } from '../../catalogue/biological-variation.ts'
import type { BiomarkerEntry } from '../schema.ts'
import type { PreviousResult, ReportCheck } from './schema.ts'

/** Two-sided 99 %: one stable result in a hundred is beyond it. */
const Z = 2.576
/** Two-sided 99.99 %: what is beyond it keeps the report from being published without a person. */
const HOLDING_Z = 3.891
/** In percent: what hardly varies within a person, such as HbA1c, still changes so far in a year of treatment. */
const HOLDING_LEAST = 20
/** What is older says little of the same steady state. A yearly test, with a month of grace. */
const DAYS = 396
const DAY_MS = 86_400_000

export interface ChangeLimits {
  /** The largest fall and rise that a person's variation explains, in percent of the earlier value. */
  fall: number
  rise: number
}

/**
 * The reference change value: how far two results of a stable person lie apart by chance. Harris EK, Yasaka T, Clin Chem
 * 1983;29:25-30, in its logarithmic form, which holds for large variations too: Fokkema MR et al., Clin Chem
 * 2006;52:1602-1603. The method is taken to add half of the variation within a person, the most that is desirable
 * (Fraser CG, Biological Variation, 2001).
 */
export function changeLimits({ cv }: Pick<BiologicalVariation, 'cv'>, z = Z): ChangeLimits {
  const total = Math.hypot(cv, cv / 2) / 100
  const spread = z * Math.SQRT2 * Math.sqrt(Math.log(total * total + 1))
  return { fall: 100 * (Math.exp(-spread) - 1), rise: 100 * (Math.exp(spread) - 1) }
}

interface Compared {
  entry: Pick<BiomarkerEntry, 'id' | 'label' | 'type'>
  previous: PreviousResult
  /** Of now, RFC 3339 or a day. */
  date: string
  laboratory?: string | undefined
  sex?: Sex | undefined
}

/** A measured result that changed by more than the person's biological variation explains; nothing where that is not known. */
export function checkChange({ entry, previous, date, laboratory, sex }: Compared): ReportCheck[] {
  const { percent } = previous
  const days = Math.round((Date.parse(date.slice(0, 10)) - Date.parse(previous.date.slice(0, 10))) / DAY_MS)
  const variation = biologicalVariation(entry.id, sex)
  if (percent === undefined || !variation || entry.type !== 'measured' || days < 0 || days > DAYS) return []
  const { fall, rise } = changeLimits(variation)
  if (!isBeyond(percent, { fall, rise })) return []
  const limit = percent > 0 ? rise : fall
  const elsewhere =
    laboratory && previous.laboratory && laboratory !== previous.laboratory
      ? ` It was measured elsewhere then, by ${previous.laboratory}.`
      : ''
  return [
    {
      kind: 'change',
      code: 'changed',
      biomarkers: [entry.id],
      holds: Math.abs(percent) > HOLDING_LEAST && isBeyond(percent, changeLimits(variation, HOLDING_Z)),
      message: `${entry.label} changed by ${signed(percent)} % in ${days} ${days === 1 ? 'day' : 'days'}. In a stable person it stays within ${signed(limit)} %: is it the same person's sample?${elsewhere}`,
      source: `${variation.source}: ${variation.cv} % within a person; 99 % of changes of stable people are smaller`,
    },
  ]
}

const isBeyond = (percent: number, { fall, rise }: ChangeLimits) => percent > rise || percent < fall

/** A result of a sample, and the one that the laboratory sent of the same sample before. */
export interface Replaced {
  entry: BiomarkerEntry
  before: BiomarkerEntry
}

/** What two measurements of one sample may differ by, in percent, where the variation of the biomarker is not known. */
const SAME_SAMPLE = 20

/**
 * Two results of one sample differ by the method alone, not by the person: half of what changes from day to day is more
 * than that. A further one is a mistake, of this message or the one before, unless the laboratory says that it corrects.
 */
export function checkReplaced({ entry, before }: Replaced, sex?: Sex): ReportCheck[] {
  const [now, then] = [entry.result, before.result]
  if (entry.finding || before.finding) {
    return entry.finding?.value === before.finding?.value ? [] : [replacedCheck({ entry, before })]
  }
  if (now === null || then === null) return []
  const variation = biologicalVariation(entry.id, sex)
  const { rise } = variation ? changeLimits({ cv: variation.cv / 2 }) : { rise: SAME_SAMPLE }
  const percent = then === 0 ? (now === 0 ? 0 : Number.POSITIVE_INFINITY) : Math.abs((100 * (now - then)) / then)
  return percent > rise ? [replacedCheck({ entry, before })] : []
}

const replacedCheck = ({ entry, before }: Replaced): ReportCheck => ({
  kind: 'change',
  code: 'replaced',
  biomarkers: [entry.id],
  holds: true,
  message: `${entry.label} of this sample was ${valueText(before)} before and is ${valueText(entry)} now, and the laboratory does not call it a correction: which one is right?`,
  source: 'One sample has one value: two measurements differ by the method alone',
})

const signed = (percent: number) => `${percent > 0 ? '+' : ''}${Math.round(percent)}`
