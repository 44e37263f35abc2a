import { ActionIcon, Button, Kbd, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { readDensity, setDensity } from '../app/density.ts'
import { signOut, useSession } from '../app/session.tsx'
import { Icon } from '../components/icon.tsx'
import { chooseLanguage, dashboardLanguages, readLanguage } from '../language/choice.ts'
import { t } from '../language/t.ts'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))

/** Right end of the header: the command palette and the account menu. */
export function HeaderMenu() {
  const [opened, setOpened] = useState(0)
  const open = () => setOpened((times) => times + 1)
  useHotkeys([['mod+K', open]], [])
  return (
    <>
      <Button
        variant="default"
        size="xs"
        ml="auto"
        c="dimmed"
        fw={400}
        leftSection={<Icon name="search" size={14} />}
        rightSection={<Kbd size="xs">{isApple() ? '⌘K' : 'Ctrl K'}</Kbd>}
        onClick={open}
        aria-haspopup="dialog"
        visibleFrom="xs"
      >
        {t('Go to…')}
      </Button>
      <AccountMenu />
      {opened > 0 && (
        <Suspense>
          <CommandPalette asked={opened} />
        </Suspense>
      )}
    </>
  )
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent)

function AccountMenu() {
  const { user } = useSession()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label={t('Your account')}>
          <Icon name="customer" size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name && <Text fw={600}>{user.name}</Text>}
          {user.email}
        </Menu.Label>
        <ThemeSwitch />
        <DensitySwitch />
        <LanguageSwitch />
        <Menu.Item component={Link} to="/account">
          {t('Account and password')}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{t('Sign out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      mx="xs"
      my={4}
      aria-label={t('Light or dark')}
      value={colorScheme}
      onChange={(next) => setColorScheme(next)}
      data={[
        { value: 'light', label: t('Light') },
        { value: 'dark', label: t('Dark') },
        { value: 'auto', label: t('Auto') },
      ]}
    />
  )
}

function DensitySwitch() {
  const [density, change] = useState(readDensity)
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      mx="xs"
      my={4}
      aria-label={t('Space between rows')}
      value={density}
      onChange={(next) => {
        setDensity(next)
        change(next)
      }}
      data={[
        { value: 'comfortable', label: t('Comfortable') },
        { value: 'compact', label: t('Compact') },
      ]}
    />
  )
}

function LanguageSwitch() {
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      mx="xs"
      my={4}
      aria-label={t('Language')}
      value={readLanguage()}
      onChange={chooseLanguage}
      data={[...dashboardLanguages]}
    />
  )
}
