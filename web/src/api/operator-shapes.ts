import type { components } from '@kitlane/client'

type Schemas = components['schemas']

export type QueuedKit = Schemas['KitToPack']
export type FoundKit = Schemas['ScannedKit']
export type Place = NonNullable<QueuedKit['recipient']>
export type Upload = Schemas['OperatorUploadReview']
export type Candidate = Schemas['UploadCandidate']
export type OneBusiness = Schemas['BusinessDetail']
export type SystemHealth = Schemas['System']
export type OperatorOverview = Schemas['OperatorOverview']
export type LegalHold = Schemas['LegalHold']
export type Backup = Schemas['Backup']
export type BackupList = Schemas['BackupList']
export type Retention = Schemas['Retention']
export type Alarm = Schemas['Alarm']
export type AccessReview = Schemas['AccessReview']
export type OperatorSsoConnection = Schemas['OperatorSsoConnection']
export type AnySsoConnection = Schemas['AnySsoConnection']
export type StaffMember = Schemas['StaffUser']
export type SupportAccess = Schemas['OperatorSupportAccess']
