import { Outlet } from '@tanstack/react-router'
import { useRead } from '../api/hooks.ts'
import { useSession } from '../app/session.tsx'
import { operatorGroups } from '../operator/groups.ts'
import { Frame } from './frame.tsx'
import { HeaderEnd } from './header-end.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

export function OperatorFrame() {
  const { memberships } = useSession()
  const overview = useRead('/operator/v1/overview')
  return (
    <Frame
      groups={operatorGroups(memberships, overview.data)}
      isSandbox={false}
      header={
        <>
          <WorkspaceMenu />
          <HeaderEnd />
        </>
      }
    >
      <Outlet />
    </Frame>
  )
}
