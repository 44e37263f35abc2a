import type { ComponentProps } from 'react'
import { ResultList } from '../../components/result-list.tsx'

type Props<Result> = Omit<ComponentProps<typeof ResultList<Result>>, 'states' | 'empty'>

/** Critical results, those that wait longest first. */
export function CriticalList<Result>(props: Props<Result>) {
  return (
    <ResultList
      {...props}
      states={[
        { value: 'open', label: 'Open' },
        { value: 'all', label: 'All' },
      ]}
      empty={{ title: 'No critical results', text: 'Results with which somebody may need help at once wait here.' }}
    />
  )
}
