import type { Answer } from '@kitlane/client'
import type { Membership } from '../api/shapes.ts'
import { t } from '../language/t.ts'
import type { NavArea, NavItem } from './navigation.ts'

type Counts = Answer<'get', '/operator/v1/overview'>

const navigation: readonly NavArea[] = [
  {
    label: t('Now'),
    icon: 'overview',
    items: [
      { path: '', label: t('Overview') },
      { path: 'numbers', label: t('Numbers') },
      { path: 'recalls', label: t('Recalls') },
      { path: 'alarms', label: t('Alarms') },
      { path: 'jobs', label: t('Jobs') },
    ],
  },
  {
    label: t('Bench'),
    icon: 'pack',
    items: [
      { path: 'pack', label: t('Pack') },
      { path: 'labels', label: t('Shipping labels') },
      { path: 'warehouses', label: t('Warehouses') },
      { path: 'came-back', label: t('Came back') },
      { path: 'parcels', label: t('Unknown parcels') },
      { path: 'intake', label: t('Intake') },
      { path: 'held-samples', label: t('Samples on hold') },
      { path: 'stock', label: t('Stock') },
      { path: 'lots', label: t('Lots') },
    ],
  },
  {
    label: t('Clinical'),
    icon: 'review',
    items: [
      { path: 'approvals', label: t('Approvals') },
      { path: 'review', label: t('Review') },
      { path: 'critical', label: t('Critical results') },
      { path: 'unassessed', label: t('Not assessed') },
      { path: 'notices', label: t('To authorities') },
      { path: 'unmatched', label: t('Unmatched') },
      { path: 'uploads', label: t('Uploads') },
      { path: 'results', label: t('Enter results') },
      { path: 'lab-orders', label: t('Orders to laboratories') },
      { path: 'withdrawn', label: t('Withdrawn consents') },
    ],
  },
  {
    label: t('Setup'),
    icon: 'settings',
    items: [
      { path: 'businesses', label: t('Businesses') },
      { path: 'catalogue', label: t('Catalogue') },
      { path: 'consent-texts', label: t('Consent texts') },
      { path: 'laboratories', label: t('Laboratories') },
      { path: 'label-accounts', label: t('Label accounts') },
      { path: 'layouts', label: t('Layout templates') },
      { path: 'mail', label: t('Mail') },
      { path: 'staff', label: t('Staff') },
      { path: 'access-review', label: t('Access review') },
      { path: 'sso', label: t('Single sign-on') },
      { path: 'audit', label: t('Audit') },
      { path: 'retention', label: t('Retention') },
      { path: 'backups', label: t('Backups') },
      { path: 'system', label: t('System') },
    ],
  },
]

// The pages of each role; an administrator has all of them. The service itself enforces what a role may do.
const places: Partial<Record<Membership['role'], readonly string[]>> = {
  fulfilment: ['', 'pack', 'labels', 'warehouses', 'came-back', 'stock', 'lots', 'recalls', 'parcels'],
  lab: [
    '',
    'intake',
    'held-samples',
    'review',
    'unmatched',
    'withdrawn',
    'uploads',
    'results',
    'laboratories',
    'lab-orders',
    'layouts',
  ],
  reviewer: ['', 'approvals', 'review', 'critical', 'unassessed', 'notices'],
  provider: ['approvals'],
}

const countKeys: Record<string, keyof Counts> = {
  pack: 'toPack',
  'came-back': 'cameBack',
  approvals: 'toApprove',
  stock: 'lowStock',
  recalls: 'recalledKits',
  intake: 'toReceive',
  'held-samples': 'heldSamples',
  review: 'inReview',
  critical: 'critical',
  unassessed: 'unassessed',
  notices: 'noticesToTell',
  unmatched: 'unmatched',
  uploads: 'uploadsToReview',
  'lab-orders': 'waitingLabOrders',
  labels: 'waitingLabels',
  warehouses: 'waitingAtWarehouses',
  jobs: 'failedJobs',
  alarms: 'alarms',
}

/** The operator's navigation for these memberships, with the number of items that wait on each page. */
export function operatorAreas(memberships: readonly Membership[], counts?: Counts): NavArea[] {
  const roles = memberships.filter(({ business }) => business === undefined).map(({ role }) => role)
  const isShown = (path: string) => roles.some((role) => role === 'operator-admin' || places[role]?.includes(path))
  const counted = (item: NavItem): NavItem => {
    const key = countKeys[item.path]
    return key ? { ...item, count: counts?.[key] } : item
  }
  return navigation
    .map((area) => ({ ...area, items: area.items.filter(({ path }) => isShown(path)).map(counted) }))
    .filter(({ items }) => items.length > 0)
}
