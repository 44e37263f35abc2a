import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { HoldCause } from '../holds/decision.ts'
import type { KitEvent } from '../kits/rules.ts'
import type { ParcelOutcome } from '../undelivered/decision.ts'
import type { PlausibleKind } from './plausible.ts'

export interface Scenario {
  name: string
  description: Sentence
  /** Where it leaves the kit. */
  status: KitEvent
  /** Which results it makes up; default normal. */
  results?: PlausibleKind
  /** Publishes the report, whatever the setting says. */
  publish?: boolean
  reason?: string
  /** What is said of the box beside its kit's status. */
  box?: { is: 'carrier' | 'reported'; outcome: ParcelOutcome }
  /** What the laboratory finds missing of the sample. */
  holds?: readonly HoldCause[]
  /** What the laboratory says of the order that it refuses; empty where it accepts it. */
  order?: string
  /** A made-up person says when the sample was taken, and answers what is asked. */
  isSaid?: boolean
  /** Something in the kit is recalled. */
  isRecalled?: boolean
}

/** What can be played with a mock kit, from wherever it is. */
export const scenarios = [
  {
    name: 'shipped',
    description: sentence('The kit is on its way to the person, with tracking.'),
    status: 'kitInTransit',
  },
  { name: 'delivered', description: sentence('The kit has arrived.'), status: 'kitDelivered' },
  { name: 'registered', description: sentence('A made-up person has registered the kit.'), status: 'kitRegistered' },
  {
    name: 'sampleSaid',
    description: sentence(
      'The made-up person says when the sample was taken, and answers the questions of the panel; results then rest on it.',
    ),
    status: 'kitRegistered',
    isSaid: true,
  },
  {
    name: 'sampleReturned',
    description: sentence('The person has posted the sample; it is on its way to the laboratory.'),
    status: 'sampleInTransit',
  },
  {
    name: 'resulted',
    description: sentence('All results are there. The report is in review, or published under auto-publish.'),
    status: 'reportReady',
  },
  {
    name: 'published',
    description: sentence('All results are there and the report is published, whatever the publishing setting says.'),
    status: 'reportReady',
    publish: true,
  },
  {
    name: 'partiallyResulted',
    description: sentence('About a third of the markers is still missing.'),
    status: 'reportReady',
    results: 'partial',
  },
  {
    name: 'abnormal',
    description: sentence('All results are there; about a fifth of the markers lies outside the reference interval.'),
    status: 'reportReady',
    results: 'abnormal',
  },
  {
    name: 'rejected',
    description: sentence('The laboratory has rejected the sample.'),
    status: 'sampleRejected',
    reason: 'The sample was too small to test',
  },
  {
    name: 'held',
    description: sentence(
      'The laboratory holds the sample: the day on which it was taken is missing, and the name on it differs.',
    ),
    status: 'sampleReceived',
    holds: ['nameDiffers', 'collectionDateMissing'],
  },
  {
    name: 'labOrderRefused',
    description: sentence('The laboratory refuses the order: it does not know the test.'),
    status: 'kitRegistered',
    order: 'Unknown test code',
  },
  {
    name: 'labOrderAccepted',
    description: sentence('The laboratory accepts the order under its own number: results complete it.'),
    status: 'kitRegistered',
    order: '',
  },
  {
    name: 'recalled',
    description: sentence('Something in a registered kit is recalled: it is stopped, and another one is sent.'),
    status: 'kitRegistered',
    isRecalled: true,
  },
  {
    name: 'deliveryException',
    description: sentence('The carrier cannot deliver the kit to the person.'),
    status: 'deliveryException',
    reason: 'The carrier could not deliver to this address',
    box: { is: 'carrier', outcome: 'notDelivered' },
  },
  {
    name: 'returnedBox',
    description: sentence(
      'The box came back to the sender: choose what is done with it, then advance it to kitInTransit.',
    ),
    status: 'deliveryException',
    reason: 'The parcel came back to the sender',
    box: { is: 'reported', outcome: 'returnedToSender' },
  },
  {
    name: 'lost',
    description: sentence('The kit was lost on its way to the person; it can be replaced.'),
    status: 'deliveryException',
    reason: 'lost',
    box: { is: 'carrier', outcome: 'lost' },
  },
] as const satisfies readonly Scenario[]

export const scenarioNames = scenarios.map(({ name }) => name)
