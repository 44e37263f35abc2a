import { Tabs } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useRealmPath } from '../app/realm.tsx'

/** Tabs that are pages of their own: the URL says which one is open. */
export function LinkTabs({ tabs }: { tabs: readonly { path: string; label: string }[] }) {
  const path = useRealmPath()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const here = [...tabs]
    .sort((a, b) => b.path.length - a.path.length)
    .find((tab) => `${pathname}/`.startsWith(`${path(...tab.path.split('/'))}/`))
  return (
    <Tabs
      value={here?.path ?? null}
      onChange={(to) => to && void navigate({ to: path(...to.split('/')) })}
      mb="lg"
      className="no-print"
    >
      <Tabs.List>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.path} value={tab.path}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
