import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { ActionCode, HoldCause } from './decision.ts'

/** What is required, for whoever may do it. */
export const sentences: Record<ActionCode, Sentence> = {
  register: sentence('Nobody has registered this kit: its person registers it.'),
  consent: sentence('The consent to this test is missing: its person gives it.'),
  confirmName: sentence(
    'The name on the sample is not the one that is registered: its person confirms or corrects it.',
  ),
  approveName: sentence('The person gave another name: see that it is the same person, and approve or decline it.'),
  giveCollectionDate: sentence('The day on which the sample was taken is missing: give it.'),
  identifySample: sentence('The label cannot be read: say that the sample is of this kit.'),
}

/** Why a sample was discarded, as its person and its business read it. */
export const reasons: Record<HoldCause, string> = {
  notRegistered: 'Nobody registered the kit',
  consentMissing: 'The consent to the test is missing',
  nameDiffers: 'The name on the sample is not the one that is registered',
  collectionDateMissing: 'The day on which the sample was taken is missing',
  labelUnreadable: 'The label of the sample cannot be read',
}
