import type { AuditAction } from '@kitlane/display/audit-action'
import { t } from '../../../language/t.ts'

// `who` did it, `of` is the object, other values are details; what is in <more> is left out where one of them is missing.
type Sentences = Partial<Record<AuditAction, string>>

export const ofPeople = {
  'customer.created': t('{who} added customer {of}'),
  'customer.updated': t('{who} corrected customer {of}'),
  'customer.erased': t('{who} erased customer {of}'),
  'customer.exported': t('{who} exported the data of customer {of}'),
  'customer.kept_read': t('{who} read what is kept of customer {of}'),
  'customer.accesses_read': t('{who} read who accessed the data of customer {of}'),
  'customer.link_sent': t('{who} had a new personal link sent to customer {of}'),
  'customer.date_of_birth_refused': t('{who} entered a wrong date of birth for customer {of}'),
  'customer.viewed': t('{who} opened the personal page of customer {of}'),
  'customer.read': t('{who} opened customer {of}'),
  'customer.listed': t('{who} opened a list of customers'),
  'customer.changed': t('{who} changed customer {of}'),
  'data_request.made': t('{who} asked for a copy or the erasure of the data of customer {of}'),
  'data_request.granted': t('{who} granted the data request of customer {of}'),
  'data_request.refused': t('{who} refused the data request of customer {of}'),
  'text_consent.given': t('{who} agreed to text messages for customer {of}'),
  'text_consent.ended': t('{who} ended the text messages to customer {of}'),
  'reminders.stopped': t('{who} stopped the reminders for kit {of}'),
  'legal_hold.set': t('{who} set a legal hold: {of}'),
  'legal_hold.lifted': t('{who} lifted a legal hold: {of}'),
  'email.read': t('{who} opened e-mail {of}'),
  'email.listed': t('{who} opened a list of e-mails'),
  'email.changed': t('{who} changed e-mail {of}'),
} satisfies Sentences

export const ofPayments = {
  'credits.granted': t('{who} granted credits of panel {of}<more>: {amount, number}</more>'),
  'credits.purchased': t('{who} bought credits of panel {of}<more>: {amount, number}</more>'),
  'credits.revoked': t('{who} took back credits of panel {of}<more>: {amount, number}</more>'),
  'top_up.changed': t('{who} changed the automatic top-ups'),
  'top_up.switched_off': t('{who} switched off the automatic top-up of panel {of}'),
  'payment.refund_failed': t('{who} recorded that the refund of payment {of} failed'),
  'payment.refunded_at_provider': t('{who} recorded that the card provider refunded payment {of}'),
  'payment.disputed': t('{who} recorded that payment {of} is disputed'),
  'payment.credits_settled': t('{who} settled the credits of payment {of}'),
  'payment_method.adding': t('{who} began to add a card: {of}'),
  'payment_method.attached': t('{who} added card {of}'),
  'payment_method.detached': t('{who} removed card {of}'),
} satisfies Sentences

export const ofSettings = {
  'business.created': t('{who} opened the business {of}'),
  'settings.changed': t('{who} changed the settings'),
  'consent_text.published': t('{who} published consent text {of}'),
  'reminders.changed': t('{who} changed the reminders'),
  'on_call.changed': t('{who} changed the on-call list'),
  'panel.provisioned': t('{who} made panel {of} available'),
  'webhook.created': t('{who} made webhook {of}'),
  'webhook.changed': t('{who} changed webhook {of}'),
  'webhook.removed': t('{who} removed webhook {of}'),
  'webhook.secret_rotated': t('{who} changed the secret of webhook {of}'),
  'webhook.replayed': t('{who} sent events again to webhook {of}'),
  'webhook.delivery_skipped': t('{who} skipped a delivery to webhook {of}'),
  'shop.connected': t('{who} connected shop {of}'),
  'shop.changed': t('{who} changed shop {of}'),
  'shop.secret_rotated': t('{who} changed the secret of shop {of}'),
  'shop.disconnected': t('{who} disconnected shop {of}'),
  'sandbox.reset': t('{who} reset the sandbox'),
  'sandbox.clock_advanced': t('{who} moved the clock of the sandbox forward'),
  'demo.toured': t('{who} tried the demo with order {of}'),
} satisfies Sentences
