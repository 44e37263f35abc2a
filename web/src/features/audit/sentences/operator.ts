import type { AuditAction } from '@kitlane/display/audit-action'
import { t } from '../../../language/t.ts'

// `who` did it, `of` is the object, other values are details; what is in <more> is left out where one of them is missing.
type Sentences = Partial<Record<AuditAction, string>>

export const ofLaboratories = {
  'notifiable_rule.saved': t('{who} saved the rule of notifiable results {of}'),
  'notifiable_authority.saved': t('{who} saved the health authority {of}'),
  'notifiable_sender.saved': t('{who} saved the sender of notifiable results'),
  'laboratory.added': t('{who} added laboratory {of}'),
  'laboratory.changed': t('{who} changed laboratory {of}'),
  'laboratory.connected': t('{who} set how laboratory {of} gets orders'),
  'laboratory.removed': t('{who} removed laboratory {of}'),
  'layout.changed': t('{who} changed layout template {of}'),
  'layout.tried': t('{who} tried layout template {of}'),
  'layout.switched_off': t('{who} switched off layout template {of}'),
  'passed_remark.removed': t('{who} removed a remark that passed: {of}'),
  'ranges.signed': t('{who} signed the ranges of biomarker {of}<more>, version {version}</more>'),
  'biomarker.text_changed': t('{who} changed the texts of biomarker {of}'),
  'panel.text_changed': t('{who} changed the texts of panel {of}'),
  'panel.promised': t('{who} changed when results of panel {of} are promised'),
  'panel.ages_limited': t('{who} changed who may be tested with panel {of}'),
  'panel.orders_limited': t('{who} changed where panel {of} may be ordered'),
  'panel.hold_rules_changed': t('{who} changed which samples of panel {of} are put on hold'),
  'panel.questions_changed': t('{who} changed the questions of panel {of}'),
  'provider.added': t('{who} added provider {of}'),
  'provider.changed': t('{who} changed provider {of}'),
  'provider.removed': t('{who} removed provider {of}'),
} satisfies Sentences

export const ofStock = {
  'stock.received': t('{who} received boxes in stock: {of}'),
  'stock.transferred': t('{who} transferred boxes to another place: {of}'),
  'stock.counted': t('{who} counted the boxes of a place: {of}'),
  'stock.adjusted': t('{who} adjusted the stock: {of}'),
  'stock_product.saved': t('{who} saved product {of}'),
  'lot.received': t('{who} received lot {of}'),
  'lot.built': t('{who} built lot {of}'),
  'lot.quarantined': t('{who} put lot {of} in quarantine'),
  'lot.released': t('{who} released lot {of} from quarantine'),
  'labels.connected': t('{who} changed the account for shipping labels {of}'),
  'warehouse.connected': t('{who} saved warehouse {of}'),
  'recall.begun': t('{who} began recall {of}'),
  'recall.extended': t('{who} extended recall {of}'),
  'recall.closed': t('{who} closed recall {of}'),
} satisfies Sentences

export const ofInstallation = {
  'alarm.acknowledged': t('{who} acknowledged alarm {of}'),
  'access_review.signed': t('{who} signed access review {of}'),
  'backup.made': t('{who} made backup {of}'),
  'backup.removed': t('{who} removed backup {of}'),
  'archive.made': t('{who} moved a month of the audit to archive {of}'),
  'retention.changed': t('{who} changed how long records are kept'),
  'retention.purged': t('{who} deleted records whose time had passed'),
  'job.retried': t('{who} started job {of} again'),
} satisfies Sentences
