/** Where the operator gets notices, and how much is too much. */
export interface OperatorChannels {
  /** Undefined: there is no webhook of the operator. */
  hook?: OperatorHook
  alarmEmail?: string
  /** Who is notified of a critical result after the business's own contacts. */
  criticalEmail?: string
  anchors: AnchorTargets
  limits: AlarmLimits
}

export interface AnchorTargets {
  emails: readonly string[]
  /** Absolute paths; a line is added to each. */
  files: readonly string[]
}

/** What raises an alarm: so many refused attempts in ten minutes, or people whose data one caller reads in an hour. */
export interface AlarmLimits {
  refusals: number
  people: number
}

/** A signed webhook to the operator's own systems. */
export interface OperatorHook {
  /** @throws if it was not accepted with a 2xx status */
  send(event: OperatorEvent): Promise<void>
}

export interface OperatorEvent {
  /** The same for every attempt: receivers recognise what they already have. */
  id: string
  type: string
  at: Date
  data: unknown
}

export const noChannels: OperatorChannels = {
  anchors: { emails: [], files: [] },
  limits: { refusals: 50, people: 1000 },
}
