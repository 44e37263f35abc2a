import { SegmentedControl } from '@mantine/core'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { useRead } from '../api/hooks.ts'
import { usePermissions } from '../app/permissions.ts'
import { useRealm } from '../app/realm.tsx'
import { SupportGate } from '../features/identity/support-gate.tsx'
import { t } from '../language/t.ts'
import { Frame } from './frame.tsx'
import { HeaderMenu } from './header-menu.tsx'
import { businessAreas } from './navigation.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'

export function BusinessFrame() {
  const { mode } = useRealm()
  const may = usePermissions()
  const overview = useRead('/api/v1/overview')
  return (
    <Frame
      areas={businessAreas(may, overview.data?.attention)}
      isSandbox={mode === 'sandbox'}
      header={
        <>
          <WorkspaceMenu />
          <ModeSwitch />
          <HeaderMenu />
        </>
      }
    >
      <SupportGate>
        <Outlet />
      </SupportGate>
    </Frame>
  )
}

/** Switches between live and sandbox. It opens the first page, because an ID of one mode is unknown in the other. */
function ModeSwitch() {
  const { businessID, mode } = useRealm()
  const navigate = useNavigate()
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('Live or sandbox')}
      value={mode}
      onChange={(next) => void navigate({ to: `/b/${businessID}/${next}` })}
      data={[
        { value: 'live', label: t('Live') },
        { value: 'sandbox', label: t('Sandbox') },
      ]}
    />
  )
}
