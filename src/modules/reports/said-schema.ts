import { Phase } from '@kitlane/lab-reader/facts/schema'
import { z } from 'zod'

/** What a person may say of their sample, and judging knows. */
const SaidFact = z.enum(['fasting', 'phases', 'pregnant'])
export type SaidFact = z.infer<typeof SaidFact>

/** Where laboratory and person say different things of a sample: `biomarkers` are those whose verdict hangs on it. */
export interface Contradiction {
  fact: SaidFact | 'collected'
  laboratory: string[]
  person: string[]
  biomarkers: string[]
}

/** What an entry of a report says of its sample. */
export const sampleFacts = {
  fasting: z
    .enum(['yes', 'no', 'notStated'])
    .optional()
    .describe(
      'Whether the sample was taken fasting; `notStated` where the limits ask for it. With `no` they judge nothing.',
    ),
  pregnant: z
    .boolean()
    .optional()
    .describe(
      'Whether the person is pregnant, where it is said: if so, only the interval of the laboratory judges it.',
    ),
  phases: z
    .array(Phase)
    .optional()
    .describe(
      'The phase of the cycle; it judged where `basis` is `phase`. Of several, which contradict each other, none judges.',
    ),
  saidByPerson: z.array(SaidFact).optional().describe('What the person tested said, and the laboratory did not.'),
}
