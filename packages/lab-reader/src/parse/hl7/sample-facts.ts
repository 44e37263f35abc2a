import { factsIn, type SampleFacts } from '../sample-words.ts'
import { type Delimiters, repetitions, type Segment } from './message.ts'

interface SampleGroup {
  request?: Segment
  specimens: readonly Segment[]
  notes: readonly Segment[]
}

const coded: Record<string, boolean> = { F: true, FASTING: true, NF: false, NONFASTING: false }

/** OBR-13, the condition or description of the specimen, and notes on the request. */
export function factsOfGroup({ request, specimens, notes }: SampleGroup, marks: Delimiters): SampleFacts {
  const info = request ? repetitions(request, marks, 13) : []
  const described = specimens.flatMap((spm) => [14, 24].flatMap((field) => repetitions(spm, marks, field)))
  return factsIn(
    [...[...info, ...described].map((text) => text.replaceAll(marks.component, '\n')), linesOf(notes, marks)],
    info.map((text) => coded[text.split(marks.component)[0]?.trim().toUpperCase() ?? '']),
  )
}

/** Notes as lines. */
export const linesOf = (notes: readonly Segment[], marks: Delimiters): string =>
  notes.map((note) => repetitions(note, marks, 3).join(' ')).join('\n')
