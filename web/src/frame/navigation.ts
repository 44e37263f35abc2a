import type { IconName } from '../components/icon.tsx'

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
    { path: '', label: 'Overview', icon: 'overview' },
    { path: 'orders', label: 'Orders', icon: 'order' },
    { path: 'bulk', label: 'Bulk orders', icon: 'list' },
    { path: 'plans', label: 'Recurring plans', icon: 'repeat' },
    { path: 'kits', label: 'Kits', icon: 'kit' },
    { path: 'customers', label: 'Customers', icon: 'customer' },
    { path: 'reports', label: 'Reports', icon: 'report' },
    { path: 'uploads', label: 'Uploads', icon: 'upload', isForWriters: true },
    { path: 'numbers', label: 'Numbers', icon: 'numbers' },
  ],
  [
    { path: 'billing', label: 'Billing', icon: 'billing' },
    { path: 'developers', label: 'Developers', icon: 'key' },
    { path: 'settings', label: 'Settings', icon: 'settings' },
  ],
]

export function businessGroups(may: { write: boolean }): NavGroup[] {
  return business.map((group) => group.filter(({ isForWriters }) => may.write || !isForWriters))
}
