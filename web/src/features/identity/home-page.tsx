import { homeOf, useSession } from '../../app/session.tsx'
import { Redirect } from '../../frame/redirect.tsx'

export function HomePage() {
  return <Redirect to={homeOf(useSession())} />
}
