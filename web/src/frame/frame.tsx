import { AppShell, Badge, Burger, NavLink } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useRealmPath } from '../app/realm.tsx'
import { Icon } from '../components/icon.tsx'
import { t } from '../language/t.ts'
import css from './frame.module.css'
import type { NavGroup } from './navigation.ts'

interface FrameProps {
  groups: NavGroup[]
  isSandbox: boolean
  header: ReactNode
  children: ReactNode
}

/** Header on top, navigation on the left. In the sandbox both are tinted and a banner says so. */
export function Frame({ groups, isSandbox, header, children }: FrameProps) {
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
        {groups.map((group) => (
          <div key={group[0]?.path} className={css.group}>
            {group.map((item) => (
              <NavEntry key={item.path} item={item} pathname={pathname} />
            ))}
          </div>
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="main">
        {isSandbox && <div className={css.banner}>{t('Sandbox: nothing here is posted, tested or charged')}</div>}
        <div className={css.main}>{children}</div>
      </AppShell.Main>
    </AppShell>
  )
}

function NavEntry({ item, pathname }: { item: NavGroup[number]; pathname: string }) {
  const path = useRealmPath()
  const to = item.path ? path(item.path) : path()
  const isActive = item.path ? `${pathname}/`.startsWith(`${to}/`) : pathname.replace(/\/$/, '') === to
  return (
    <NavLink
      component={Link}
      to={to}
      activeOptions={{ exact: true }}
      className={css.link}
      label={item.label}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      leftSection={<Icon name={item.icon} />}
      rightSection={
        item.count ? (
          <Badge size="sm" variant="light" circle={item.count < 10}>
            {item.count}
          </Badge>
        ) : undefined
      }
    />
  )
}
