const STARTS = ['orderDateStart', 'createdDateStart', 'from', 'since', 'updatedSince']
const ENDS = ['orderDateEnd', 'createdDateEnd', 'to', 'until']

// What other services call the parameters of lists, by their letters; the first that a list knows is meant.
const meanings: readonly (readonly [names: string, meant: readonly string[]])[] = [
  ['customer user userid patient patientid person personid client clientid', ['customerID', 'id', 'registeredTo']],
  ['customerid', ['id', 'registeredTo']],
  ['email mail emailaddress useremail customeremail recipientemail', ['email', 'registeredTo', 'recipient']],
  ['registeredtoemail registeredemail', ['registeredTo', 'email']],
  ['reference ref externalref externalreference clientreference foreignid', ['externalID', 'external_id']],
  ['id', ['id', 'orderID', 'kitID', 'reportID']],
  ['order', ['orderID', 'sort']],
  ['kit sample sampleid', ['kitID']],
  ['kittype producttype product panel panelid testtype type', ['sku', 'kitType', 'panel', 'type', 'kind']],
  ['state reportstatus', ['status', 'state']],
  ['status', ['state', 'kitStatus']],
  ['orderstatus', ['status', 'kitStatus']],
  ['tracking trackingid trackingcode', ['trackingNumber']],
  ['limit perpage pagesize count take maxresults', ['size']],
  ['offset skip pagenumber', ['page', 'after']],
  ['cursor nexttoken pagetoken startingafter', ['after', 'page']],
  ['search query term', ['q']],
  ['orderby sortby sortorder direction', ['sort']],
  ['fields include', ['columns']],
  ['orderdatestart from since after startdate datefrom createdafter createdsince createdfrom', STARTS],
  ['orderdateend to until before enddate dateto createdbefore createduntil createdto', ENDS],
  ['updatedafter modifiedsince changedsince updatedfrom lastupdated', ['updatedSince', 'since']],
]

const meantBy = new Map(meanings.flatMap(([names, meant]) => names.split(' ').map((one) => [one, meant] as const)))

/** The known parameter that a name of another service means; undefined: none. */
export const parameterMeant = (letters: string, known: readonly string[]): string | undefined =>
  meantBy.get(letters)?.find((name) => known.includes(name))
