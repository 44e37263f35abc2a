import type { Overview } from '../api/shapes.ts'
import type { IconName } from '../components/icon.tsx'
import { t } from '../language/t.ts'

export interface NavItem {
  /** Below the frame: `orders`. Empty for its first page. */
  path: string
  label: string
  icon: IconName
  /** How many items wait there, from the overview. */
  count?: number
  /** Empty for people with read-only access. */
  isForWriters?: true
}

export type NavGroup = NavItem[]

const business: NavGroup[] = [
  [
    { path: '', label: t('Overview'), icon: 'overview' },
    { path: 'orders', label: t('Orders'), icon: 'order' },
    { path: 'bulk', label: t('Bulk orders'), icon: 'list' },
    { path: 'plans', label: t('Recurring plans'), icon: 'repeat' },
    { path: 'kits', label: t('Kits'), icon: 'kit' },
    { path: 'undelivered', label: t('Undelivered boxes'), icon: 'repeat' },
    { path: 'held-samples', label: t('Samples on hold'), icon: 'warning' },
    { path: 'recalled-kits', label: t('Recalled kits'), icon: 'warning' },
    { path: 'customers', label: t('Customers'), icon: 'customer' },
    { path: 'reports', label: t('Reports'), icon: 'report' },
    { path: 'uploads', label: t('Uploads'), icon: 'upload', isForWriters: true },
    { path: 'numbers', label: t('Numbers'), icon: 'numbers' },
  ],
  [
    { path: 'billing', label: t('Billing'), icon: 'billing' },
    { path: 'developers', label: t('Developers'), icon: 'key' },
    { path: 'settings', label: t('Settings'), icon: 'settings' },
  ],
]

/** The navigation of a business, with the number of recalled kits whose people nobody told. */
export function businessGroups(may: { write: boolean }, attention: Overview['attention'] = []): NavGroup[] {
  const untold = attention.find(({ kind }) => kind === 'recalledKits')?.count
  return business.map((group) =>
    group
      .filter(({ isForWriters }) => may.write || !isForWriters)
      .map((item) => (item.path === 'recalled-kits' && untold ? { ...item, count: untold } : item)),
  )
}
