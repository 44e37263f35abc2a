import type { components } from './schema.gen.ts'

type Kit = components['schemas']['Kit']
/** An endpoint with `payload: 'thin'` is sent no names, addresses and identifiers of the caller, and fewer details. */
type Thin<Data, Key extends keyof Data> = Omit<Data, Key> & Partial<Pick<Data, Key>>

interface AboutReport {
  reportID: string
  kitID?: string
  customerID: number
  version: number
}

interface DataOfType {
  'kit.updated': Thin<Kit, 'registeredToEmail' | 'externalID'> & {
    /** What happened: a step of the kit's life, or an exception. */
    event: string
    /** Counts the events of a kit: a webhook that arrives late has a smaller number. */
    sequence: number
    previous: Pick<Kit, 'kitStatus' | 'sampleStatus' | 'status'>
  }
  'order.created': {
    orderID: string
    status: 'created' | 'pending'
    createdDate: string
    items: { kitType: string; quantity: number }[]
    externalID?: string
  }
  'order.canceled': { orderID: string; status: 'canceled'; canceledDate: string }
  'bulk_order.completed': {
    jobId: string
    status: 'completed' | 'canceled' | 'failed'
    total: number
    succeeded: number
    failed: number
    /** Orders of it wait for their payment. */
    pending?: true
    completedDate: string
  }
  'report.published': AboutReport & {
    publishedDate: string
    /** The biomarkers in which this version differs from the one before. */
    corrected?: string[]
    added?: string[]
    withdrawn?: string[]
  }
  'result.withdrawn': AboutReport & {
    status: string
    withdrawnDate: string
    results?: { biomarker: string; reason: string }[]
  }
  'result.critical': {
    criticalID?: string
    customerID: number
    kitID?: string
    reportID?: string
    raisedDate?: string
    deadlineDate?: string
  }
  'consent.withdrawn': {
    kitID: string
    customerID?: number
    what?: 'testing' | 'research'
    outcome?: 'researchEnded' | 'notRegistered' | 'stopped' | 'underWay' | 'received'
    withdrawnDate: string
  }
  'credits.low': { type: string; credits: number; threshold: number }
  'customer.created': { id: number; external_id?: string; createdDate: string }
  'customer.updated': {
    id: number
    external_id?: string
    updatedDate: string
    /** The names of the fields that changed. */
    changed: string[]
  }
  'data_request.created': {
    dataRequestID: string
    customerID: number
    kind: 'copy' | 'erasure'
    requestedDate: string
    answerByDate: string
  }
  /** Made by `webhooks.test`, for one endpoint. */
  'webhook.test': { endpointID: string; message: string }
}

export type EventType = keyof DataOfType

export interface EventOf<Type extends EventType> {
  /** The same with each attempt to deliver it: what was seen already can be left out by it. */
  id: string
  type: Type
  /** When it happened. */
  timestamp: string
  data: DataOfType[Type]
}

/** An event as a webhook brings it; `type` says what `data` has. */
export type WebhookEvent = { [Type in EventType]: EventOf<Type> }[EventType]
