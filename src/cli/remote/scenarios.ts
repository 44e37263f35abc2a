import type { Kitlane, KitlaneError } from '../../../client/src/index.ts'
import { StartError } from '../../domain/errors.ts'

/** The IDs that a scenario made or used. */
export interface Ids {
  orderID?: string
  kitID?: string
  customerID?: number
  reportID?: string
  jobId?: string
}

/** What a scenario acts with. */
export interface Stage {
  kitlane: Kitlane
  scopes: readonly string[]
  /** What orders are placed for. */
  kitType: string
  /** The kit to play with, if one was given. */
  kitID: string | undefined
  /** Tells what was done, in a sentence, and with which IDs. */
  say(sentence: string, ids?: Ids): void
}

interface Scenario {
  name: string
  description: string
  /** The event that it is for: also a name of the scenario. */
  event?: string
  play(stage: Stage): Promise<void>
}

const address = { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' }
const recipient = { first_name: 'Ada', last_name: 'Example', email: 'ada@example.invalid', address }

/** Results beyond a limit at which a clinician is called, of biomarkers that panels often have. */
const CRITICAL = [
  { biomarker: 'glucose', result: 550, unit: 'mg/dL' },
  { biomarker: 'creatinine', result: 9, unit: 'mg/dL' },
  { biomarker: 'potassium', result: 7, unit: 'mmol/L' },
  { biomarker: 'hemoglobin', result: 60, unit: 'g/L' },
]

/** What the service's own scenarios, which begin with a kit, do not show. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'ordered',
    event: 'order.created',
    description: 'An order is placed.',
    play: async (stage) => void (await placeOrder(stage)),
  },
  {
    name: 'addressCorrected',
    event: 'order.updated',
    description: 'An order is placed, and its address is corrected.',
    async play(stage) {
      const { orderID } = await placeOrder(stage)
      await stage.kitlane.orders.correct(orderID, { recipientAddress: { ...address, street1: '2 Main Street' } })
      stage.say(`Corrected the address of the order ${orderID}.`, { orderID })
    },
  },
  {
    name: 'canceled',
    event: 'order.canceled',
    description: 'An order is placed and canceled.',
    async play(stage) {
      const { orderID } = await placeOrder(stage)
      await stage.kitlane.orders.cancel(orderID)
      stage.say(`Canceled the order ${orderID}.`, { orderID })
    },
  },
  {
    name: 'paymentFailed',
    description: 'A card is declined: the order is refused, and nothing is made or charged.',
    async play({ kitlane, kitType, say }) {
      const before = await kitlane.paymentMethods.list()
      const card = await kitlane.paymentMethods.attach({ id: 'pm_card_declined' })
      try {
        await kitlane.orders.create({ recipient, kit_types: [{ kitType }], paymentMethod: card.id })
        throw new StartError('The card was not declined.')
      } catch (error) {
        if ((error as KitlaneError).code !== 'PAYMENT_FAILED') throw error
        say(`The order was refused with PAYMENT_FAILED: the card ending in ${card.last4} was declined.`)
      } finally {
        // Everything as it was: the card that orders were charged to is attached again.
        if (!before.some(({ id }) => id === card.id)) await kitlane.paymentMethods.detach(card.id)
        const attached = before.find((method) => method.attached)
        if (attached) await kitlane.paymentMethods.attach({ id: attached.id })
      }
    },
  },
  {
    name: 'bulk',
    event: 'bulk_order.completed',
    description: 'A job places 20 orders.',
    async play({ kitlane, kitType, say }) {
      const { address: _, ...person } = recipient
      const row = { kit_type: kitType, ...person, ...address }
      const { jobId } = await kitlane.orders.create({ bulkUploadData: Array.from({ length: 20 }, () => row) })
      if (!jobId) throw new StartError('The service placed the orders without a job.')
      say(`Sent the job ${jobId} with 20 orders.`, { jobId })
      const { status, succeeded } = await kitlane.bulkOrderJobs.waitFor(jobId)
      say(`The job is ${status}: ${succeeded} orders are placed.`, { jobId })
    },
  },
  {
    name: 'critical',
    event: 'result.critical',
    description: 'Results come of which one may need help at once: the report waits until somebody acknowledges it.',
    async play(stage) {
      const { kitlane, kitID: given, say } = stage
      const kitID = given ?? (await placeOrder(stage)).kitID
      const { kit } = await kitlane.kits.get(kitID)
      const panel = (await kitlane.panels.list()).find(({ kitType }) => kitType === kit.kitType)
      const result = CRITICAL.find(({ biomarker }) => panel?.biomarkers.includes(biomarker))
      if (!result) {
        throw new StartError(
          `No biomarker of ${kit.kitType} has a critical limit that this command knows. Name another type with --kit-type.`,
        )
      }
      const { customerID } = await kitlane.sandbox.advanceKit(kitID, { status: 'reportReady', results: [result] })
      const { biomarker, result: value, unit } = result
      const ids = { kitID, customerID, ...(await reportOf(stage, kitID)) }
      say(`The results of the kit ${kitID} came: ${biomarker} is ${value} ${unit}, which is critical.`, ids)
    },
  },
  {
    name: 'consentWithdrawn',
    event: 'consent.withdrawn',
    description: 'A person registers a kit and then withdraws the consent to testing.',
    async play(stage) {
      const { kitlane, say } = stage
      const kitID = stage.kitID ?? (await placeOrder(stage)).kitID
      await runOn(stage, kitID, 'registered', 'A made-up person registered the kit.')
      await kitlane.kits.withdrawConsent(kitID, { what: 'testing' })
      say(`The person withdrew the consent for the kit ${kitID}.`, { kitID })
    },
  },
  {
    name: 'journey',
    description:
      'The whole way: ordered, shipped, delivered, registered, returned, received, and the report published.',
    async play(stage) {
      const kitID = stage.kitID ?? (await placeOrder(stage)).kitID
      await runOn(stage, kitID, 'shipped', 'The kit is on its way to the person.')
      await runOn(stage, kitID, 'delivered', 'The kit has arrived.')
      await runOn(stage, kitID, 'registered', 'A made-up person registered the kit.')
      await runOn(stage, kitID, 'sampleReturned', 'The sample is on its way to the laboratory.')
      await stage.kitlane.sandbox.advanceKit(kitID, { status: 'sampleReceived' })
      stage.say('The laboratory has received the sample.', { kitID })
      await runOn(stage, kitID, 'published', 'The report is published.')
    },
  },
]

/** Plays one of the service's scenarios with the given kit, or with that of a new order. */
export async function playWithKit(stage: Stage, name: ServiceScenario, description: string): Promise<void> {
  const kitID = stage.kitID ?? (await placeOrder(stage)).kitID
  await runOn(stage, kitID, name, description)
}

export type ServiceScenario = Parameters<Kitlane['sandbox']['runScenario']>[1]['scenario']

async function runOn(stage: Stage, kitID: string, scenario: ServiceScenario, sentence: string): Promise<void> {
  const { customerID, status } = await stage.kitlane.sandbox.runScenario(kitID, { scenario })
  const report = status === 'notStarted' ? {} : await reportOf(stage, kitID)
  stage.say(sentence, { kitID, ...(customerID && { customerID }), ...report })
}

/** The report of a kit, if the token may read reports. */
async function reportOf({ kitlane, scopes }: Stage, kitID: string): Promise<Ids> {
  if (!scopes.includes('reports:read')) return {}
  const { data } = await kitlane.reports.list()
  const reportID = data.find((report) => report.kitID === kitID)?.reportID
  return reportID ? { reportID } : {}
}

async function placeOrder({ kitlane, kitType, say }: Stage): Promise<{ orderID: string; kitID: string }> {
  const made = await kitlane.orders.create({ recipient, kit_types: [{ kitType }], paymentMethod: 'credits' })
  const { orderID, kits } = await kitlane.orders.get(made.orderId ?? '')
  const kitID = kits[0]?.kitID ?? ''
  say(`Placed the order ${orderID} for the kit ${kitID}.`, { orderID, kitID })
  return { orderID, kitID }
}
