import { otherSpecimen } from '../../facts/name-words.ts'
import { specimensIn } from '../../facts/specimens.ts'
import type { Line } from './text.ts'

/** Only the title of another panel ends a part about another specimen: a line too many only waits for a person. */
const panelTitle =
  /\b(panel|profile|cbc|metabolic|lipid|thyroid|hormones?|blood|serum|plasma|chemistry|hematology|count|comp|vitamins?|hemoglobin|cardio\w*|testosterone)\b/i

export const isTitle = ({ text }: Line) => text.length <= 60 && !/[.:;]|\d{3}/.test(text) && /\p{L}{2}/u.test(text)

/** What other titles do not end: another specimen, and what was measured before. */
export const speaksOfOther = (text: string) => text.length <= 60 && (otherSpecimen.test(text) || isEarlierTitle(text))
export const isEarlierTitle = (text: string) =>
  text.length <= 60 &&
  /\b(previous|prior|earlier|historical|cumulative|past) (results?|values?|reports?|data)\b|^history\b/i.test(text)

export function titleOf(line: Line, before: string): string {
  const title = line.text.replace(/\(cont\.?\)|\(continued\)/i, '').trim()
  if (speaksOfOther(title)) return title
  if (!isTitle(line) || line.cells.length > 1) return before
  return speaksOfOther(before) && !panelTitle.test(title) ? before : title
}

/** "Specimen: Urine", "Material: Serum": holds until the next one. A number behind it is the sample's. */
export function labelledSpecimen({ text }: Line): string | undefined {
  const said =
    /\b(?:specimen|sample|material|source)(?: (?:type|source))?\s*:\s*(\p{L}[^\d:]{2,40}?)(?=\s{2,}|$)/iu.exec(
      text,
    )?.[1]
  return said !== undefined && specimensIn(said) !== undefined ? said : undefined
}
