import { useRead, useWrite } from '../../../api/hooks.ts'
import type { SsoConnection } from '../../../api/shapes.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { SettingsTabs } from '../../../frame/settings-tabs.tsx'
import { t } from '../../../language/t.ts'
import type { ConnectionBody } from './connection-draft.ts'
import { ConnectionList } from './connection-list.tsx'

type Role = SsoConnection['groupRoles'][number]['role']
const roles: readonly Role[] = ['business-admin', 'business-viewer']
type Body = Omit<ConnectionBody, 'groupRoles'> & { groupRoles: { group: string; role: Role }[]; clientSecret: string }

/** How the people of a business sign in at its own identity provider. */
export function SsoPage() {
  const connections = useRead('/api/v1/sso-connections')
  const create = useWrite('post', '/api/v1/sso-connections')
  const change = useWrite('patch', '/api/v1/sso-connections/{connectionID}')
  const remove = useWrite('delete', '/api/v1/sso-connections/{connectionID}')
  const createToken = useWrite('post', '/api/v1/sso-connections/{connectionID}/scim-token')
  const endToken = useWrite('delete', '/api/v1/sso-connections/{connectionID}/scim-token')
  const params = (connectionID: string) => ({ path: { connectionID } })
  return (
    <>
      <PageHeader title={t('Settings')} sentence={t('How your people sign in at your own identity provider.')} />
      <SettingsTabs />
      <ConnectionList
        connections={connections}
        roles={roles}
        create={(body) => create.mutateAsync({ body: body as Body })}
        save={(id, body) => change.mutateAsync({ params: params(id), body: body as Body })}
        remove={(id) => remove.mutateAsync({ params: params(id) })}
        provisioning={(id) => ({
          create: () => createToken.mutateAsync({ params: params(id) }),
          end: () => endToken.mutateAsync({ params: params(id) }),
        })}
      />
    </>
  )
}
