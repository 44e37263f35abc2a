import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { Attention } from './decision.ts'

/** Why a person must look at an order, and what can be done. */
export const sentences: Record<Attention, Sentence> = {
  noLaboratory: sentence('No laboratory takes orders: set one up, or close this order.'),
  notTestedHere: sentence('No laboratory tests this kit type: add the test to one.'),
  notTestedThere: sentence('No laboratory serves the place where the person lives: choose one, or close this order.'),
  full: sentence('Every laboratory that fits is full today: it is tried again tomorrow, or choose one.'),
  answerMissing: sentence(
    'The laboratory wants an answer that is not known: add it to the kit, or change the question.',
  ),
  refused: sentence(
    'The laboratory refused the order: mend the cause and send it again, or choose another laboratory.',
  ),
  changeRefused: sentence('The laboratory refused a change: agree on it with the laboratory.'),
  cancelRefused: sentence('The laboratory could not cancel the order: its results may still come.'),
  noAnswer: sentence(
    'The laboratory does not answer: it is still tried, or the order was only received. Ask the laboratory.',
  ),
}
