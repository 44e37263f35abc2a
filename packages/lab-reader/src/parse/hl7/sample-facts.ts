import { fastingIn } from '../sample-words.ts'
import { type Delimiters, repetitions, type Segment } from './message.ts'

interface FastingGroup {
  request?: Segment
  specimens: readonly Segment[]
  notes: readonly Segment[]
}

/** OBR-13, the condition or description of the specimen, and notes on the request. */
export function fastingOfGroup({ request, specimens, notes }: FastingGroup, marks: Delimiters): boolean | undefined {
  const info = request ? repetitions(request, marks, 13) : []
  const coded: Record<string, boolean> = { F: true, FASTING: true, NF: false, NONFASTING: false }
  const said = [
    ...info.map((text) => coded[text.split(marks.component)[0]?.trim().toUpperCase() ?? ''] ?? fastingIn(text)),
    ...specimens.flatMap((spm) =>
      [14, 24].flatMap((field) => repetitions(spm, marks, field).map((text) => fastingIn(text))),
    ),
  ]
  said.push(...notes.map((note) => fastingIn(repetitions(note, marks, 3).join(' '))))
  return said.includes(false) ? false : said.find((one) => one !== undefined)
}
