import { z } from 'zod'
import { text, timestamp } from '../../../platform/http/fields.ts'

const time = z.string()
const when = 'ISO 8601, as exact as the laboratory sent it.'

const Observation = z.object({
  name: z.string(),
  alsoCalled: z.array(z.string()).optional(),
  loinc: z.string().optional(),
  value: z.string().describe('As it was sent.'),
  unit: z.string().optional(),
  range: z.string().optional(),
  flag: z.string().optional(),
  status: z.string(),
  specimen: z.string().optional(),
  section: z.string().optional(),
  reportedDate: time.optional().describe(`When it was reported or changed its status. ${when}`),
  analyzedDate: time.optional().describe(`When it was measured. ${when}`),
  position: z.string().describe('Where it stood in the message or file.'),
  line: z.string().describe('The line, segment or row that it was read from.'),
  became: z.string().describe('`assessed`, or the reason why it was not when it came.'),
})

export const receivedParams = z.object({ documentID: text(64) })

export const ReceivedResults = z
  .object({
    id: z.string(),
    customerID: z.int(),
    kitID: z.string().optional(),
    dataID: z.string().optional(),
    reportID: z.string().optional(),
    format: z.string(),
    receivedDate: timestamp,
    controlID: z.string().optional().describe("The sender's own ID of the message."),
    sender: z.string().optional().describe('As the message names its sender.'),
    sentDate: time.optional().describe(`When the laboratory sent the message. ${when}`),
    counted: z.int().describe('Lines that look like results = the other three together.'),
    assessed: z.int(),
    waiting: z.int(),
    dismissed: z.int(),
    observations: z.array(Observation).describe('Every result of it, as it was sent, matched or not.'),
  })
  .meta({ id: 'ReceivedResults' })
export type ReceivedResults = z.infer<typeof ReceivedResults>
