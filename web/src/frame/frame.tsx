import { AppShell, Badge, Burger, NavLink } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useRealmPath } from '../app/realm.tsx'
import { Icon } from '../components/icon.tsx'
import { t } from '../language/t.ts'
import css from './frame.module.css'
import type { NavArea, NavItem } from './navigation.ts'

interface FrameProps {
  areas: readonly NavArea[]
  isSandbox: boolean
  header: ReactNode
  children: ReactNode
}

/** Header on top, navigation on the left. In the sandbox both are tinted and a banner says so. */
export function Frame({ areas, isSandbox, header, children }: FrameProps) {
  const [opened, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="lg"
      transitionDuration={120}
      className={isSandbox ? css.sandbox : undefined}
      data-mode={isSandbox ? 'sandbox' : 'live'}
    >
      <a href="#main" className={css.skip}>
        {t('Skip to the page')}
      </a>
      <AppShell.Header className={`${css.header} no-print`}>
        <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('Navigation')} />
        {header}
      </AppShell.Header>
      <AppShell.Navbar className={`${css.navbar} no-print`} aria-label={t('Navigation')}>
        <Navigation areas={areas} pathname={pathname} />
      </AppShell.Navbar>
      <AppShell.Main id="main">
        {isSandbox && <div className={css.banner}>{t('Sandbox: nothing here is posted, tested or charged')}</div>}
        <div className={css.main}>{children}</div>
      </AppShell.Main>
    </AppShell>
  )
}

// So many pages are seen at a glance, without opening an area, on a window of 900 px.
const AT_A_GLANCE = 18

/** The pages below the headings of their areas. Of many, only the area of this page is open, and those that were opened by hand. */
function Navigation({ areas, pathname }: { areas: readonly NavArea[]; pathname: string }) {
  const path = useRealmPath()
  const [byHand, setByHand] = useState<Record<string, boolean>>({})
  const entries = areas.map((area) => ({
    ...area,
    items: area.items.map((item) => ({ item, to: item.path ? path(item.path) : path() })),
  }))
  const isHere = (to: string, item: NavItem) =>
    item.path ? `${pathname}/`.startsWith(`${to}/`) : pathname.replace(/\/$/, '') === to
  const isAtAGlance = areas.flatMap(({ items }) => items).length <= AT_A_GLANCE
  return entries.map(({ label, icon, items }) => {
    const pages = items.map(({ item, to }) => (
      <NavEntry key={item.path} item={item} to={to} isActive={isHere(to, item)} />
    ))
    if (areas.length === 1) return pages
    const isOpen = byHand[label] ?? (isAtAGlance || items.some(({ item, to }) => isHere(to, item)))
    const waiting = items.reduce((total, { item }) => total + (item.count ?? 0), 0)
    return (
      <div key={label} className={css.area}>
        <NavLink
          component="button"
          type="button"
          className={css.heading}
          label={label}
          leftSection={<Icon name={icon} />}
          rightSection={
            isOpen ? (
              <Icon name="down" size={12} />
            ) : waiting > 0 ? (
              <Count of={waiting} />
            ) : (
              <Icon name="chevron" size={12} />
            )
          }
          aria-expanded={isOpen}
          onClick={() => setByHand({ ...byHand, [label]: !isOpen })}
        />
        {isOpen && pages}
      </div>
    )
  })
}

const Count = ({ of }: { of: number }) => (
  <Badge size="sm" variant="light" circle={of < 10}>
    {of}
  </Badge>
)

function NavEntry({ item, to, isActive }: { item: NavItem; to: string; isActive: boolean }) {
  return (
    <NavLink
      component={Link}
      to={to}
      activeOptions={{ exact: true }}
      className={css.link}
      label={item.label}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      rightSection={item.count ? <Count of={item.count} /> : undefined}
    />
  )
}
