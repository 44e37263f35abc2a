import type { components } from '@kitlane/client'

type Schemas = components['schemas']

export type Session = Schemas['Session']
export type Membership = Session['memberships'][number]
export type Overview = Schemas['Overview']
export type Order = Schemas['Order']
export type Kit = Schemas['Kit']
export type KitDetail = Schemas['KitPage']
export type KitEvent = Kit['allowed'][number]
export type LifetimeStatus = Kit['progress'][number]['type']
export type Panel = Schemas['Panel']
export type Customer = Schemas['Customer']
export type ListedCustomer = Schemas['ListedCustomer']
export type Report = Schemas['Report']
export type BulkJob = Schemas['BulkJob']
export type BulkJobSummary = Schemas['ListedBulkJob']
export type Upload = Schemas['Upload']
export type UploadDetail = Schemas['UploadReview']
export type WebhookEndpoint = Schemas['WebhookEndpoint']
export type WebhookDelivery = Schemas['WebhookDelivery']
export type Settings = Schemas['Settings']
export type Pagination = Schemas['Pagination']
export type User = Schemas['User']
export type Token = Schemas['Token']
export type AuditEntry = Schemas['AuditEntry']
export type ReportSummary = Schemas['ListedReport']
export type ReportReview = Schemas['ReviewedReport']

export interface Page<Row> {
  data: Row[]
  pagination: Pagination
}
