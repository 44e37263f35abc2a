import type { AuditAction } from '@kitlane/display/audit-action'
import { t } from '../../../language/t.ts'
import { ofSigningIn, ofSupport, ofUsers } from './access.ts'
import { ofInstallation, ofLaboratories, ofStock } from './operator.ts'
import { ofPayments, ofPeople, ofSettings } from './people.ts'
import { ofKits, ofOrders, ofReports } from './work.ts'

// An action without a sentence does not compile.
const all: Record<AuditAction, string> = {
  ...ofOrders,
  ...ofKits,
  ...ofReports,
  ...ofPeople,
  ...ofPayments,
  ...ofSettings,
  ...ofSigningIn,
  ...ofUsers,
  ...ofSupport,
  ...ofLaboratories,
  ...ofStock,
  ...ofInstallation,
}

/** The sentence of an action; undefined for one of an extension or of an older release. */
export const sentenceOf = (action: string): string | undefined =>
  Object.hasOwn(all, action) ? all[action as AuditAction] : undefined

/** "{who} published report {of}" as "Published report". */
export function labelOf(sentence: string): string {
  const text = sentence.replace(/<more>.*<\/more>|\{\w+\}/g, '').replace(/\s+/g, ' ')
  return text.replace(/^ | (?=[,:])|[ :]+$/g, '').replace(/^./, (first) => first.toLocaleUpperCase())
}

/** By what they concern. */
export const groups: readonly { label: string; sentences: Readonly<Record<string, string>>; isOperators?: true }[] = [
  { label: t('Orders'), sentences: ofOrders },
  { label: t('Kits and samples'), sentences: ofKits },
  { label: t('Reports and results'), sentences: ofReports },
  { label: t('People'), sentences: ofPeople },
  { label: t('Credits and payments'), sentences: ofPayments },
  { label: t('Settings of the business'), sentences: ofSettings },
  { label: t('Signing in'), sentences: ofSigningIn },
  { label: t('Users and tokens'), sentences: ofUsers },
  { label: t('Support access'), sentences: ofSupport },
  { label: t('Laboratories and catalogue'), sentences: ofLaboratories, isOperators: true },
  { label: t('Stock and recalls'), sentences: ofStock, isOperators: true },
  { label: t('The installation'), sentences: ofInstallation, isOperators: true },
]
