import type { components } from '@kitlane/client'

type Schemas = components['schemas']

export type QueuedKit = Schemas['KitToPack']
export type FoundKit = Schemas['ScannedKit']
export type Place = NonNullable<QueuedKit['recipient']>
export type Upload = Schemas['OperatorUploadReview']
export type Candidate = Schemas['UploadCandidate']
export type OneBusiness = Schemas['BusinessDetail']
export type SystemHealth = Schemas['System']
export type StaffMember = Schemas['StaffUser']
