import { Outlet } from '@tanstack/react-router'
import { useRead } from '../api/hooks.ts'
import { useSession } from '../app/session.tsx'
import { Frame } from './frame.tsx'
import { HeaderMenu } from './header-menu.tsx'
import { operatorAreas } from './operator-navigation.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'

export function OperatorFrame() {
  const { memberships } = useSession()
  const overview = useRead('/operator/v1/overview')
  return (
    <Frame
      areas={operatorAreas(memberships, overview.data)}
      isSandbox={false}
      header={
        <>
          <WorkspaceMenu />
          <HeaderMenu />
        </>
      }
    >
      <Outlet />
    </Frame>
  )
}
