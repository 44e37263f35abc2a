import { normaliseName } from './match.ts'
import type { Biomarker } from './schema.ts'

/**
 * Allergens by the codes that laboratories print beside them, those of Phadia's catalogue, and by their names in English, German,
 * French, Spanish, Italian, Portuguese, Dutch, Swedish, Norwegian, Danish and Polish.
 */
const allergens: Readonly<Record<string, string>> = {
  ige_peanut:
    'f13:peanut,erdnuss,erdnuß,arachide,cacahuete,arachide,amendoim,pinda,jordnöt,orzech ziemny,jordnøtt,jordnød,peanøtt',
  ige_hazelnut:
    'f17:hazelnut,haselnuss,haselnuß,noisette,avellana,nocciola,avelã,hazelnoot,hasselnöt,orzech laskowy,hasselnøtt,hasselnød',
  ige_walnut: 'f256:walnut,walnuss,walnuß,noix,nuez,noce,noz,walnoot,valnöt,orzech włoski,valnøtt,valnød',
  ige_almond: 'f20:almond,mandel,amande,almendra,mandorla,amêndoa,amandel,migdał',
  ige_sesame_seed: 'f10:sesame,sesame seed,sesam,sésame,sésamo,sesamo,sezam',
  ige_soybean: 'f14:soybean,soy,sojabohne,soja,soia,sojaboon,sojaböna',
  ige_wheat: 'f4:wheat,weizen,weizenmehl,blé,trigo,frumento,grano,tarwe,vete,pszenica,hvete,hvede',
  ige_rye: 'f5:rye flour,roggenmehl,seigle,centeno,segale,centeio,rogge,råg,żyto,rug',
  ige_cow_milk:
    "f2:milk,cow milk,cow's milk,milcheiweiß,milcheiweiss,kuhmilch,milch,lait de vache,lait,leche de vaca,leche,latte vaccino,latte,leite de vaca,leite,koemelk,melk,komjölk,mjölk,mleko krowie,mleko,kumelk,komælk,mælk",
  ige_egg_white:
    "f1:egg white,hühnereiweiß,hühnereiweiss,eiklar,blanc d'oeuf,blanc d'œuf,clara de huevo,albume d'uovo,clara de ovo,kippeneiwit,äggvita,białko jaja,eggehvite,æggehvide",
  ige_egg_yolk:
    "f75:egg yolk,eigelb,jaune d'oeuf,jaune d'œuf,yema de huevo,tuorlo d'uovo,gema de ovo,eidooier,äggula,żółtko jaja",
  ige_codfish: 'f3:codfish,cod,dorsch,kabeljau,cabillaud,morue,bacalao,merluzzo,bacalhau,kabeljauw,torsk,dorsz',
  ige_shrimp: 'f24:shrimp,garnele,crevette,gamba,gambero,camarão,garnaal,räka,krewetka,reke,reje',
  ige_apple: 'f49:apple,apfel,pomme,manzana,mela,maçã,appel,äpple,jabłko',
  ige_peach: 'f95:peach,pfirsich,pêche,melocotón,pesca,pêssego,perzik,persika,brzoskwinia',
  ige_tomato: 'f25:tomato,tomate,pomodoro,tomaat,tomat,pomidor',
  ige_celery: 'f85:celery,sellerie,céleri,apio,sedano,aipo,selderij,selleri,seler',
  ige_carrot: 'f31:carrot,karotte,carotte,zanahoria,carota,cenoura,wortel,morot,marchew',
  ige_cat_dander:
    'e1:cat dander,cat,cat epithelium,katzenschuppen,katze,katzenepithel,chat,chat (épithélium),gato,gato epitelio,epitelio de gato,gatto,epitelio di gatto,caspa de gato,gato (epitelio),épithélium de chat,squames de chat,poils de chat,forfora di gatto,kattenepitheel,kattenschilfers,katthår,kattepitel,kat,katt,sierść kota,kot',
  ige_dog_dander:
    'e5:dog dander,hundeschuppen,caspa de perro,forfora di cane,squames de chien,caspa de cão,hondenschilfers,chien,hund,hond,pies',
  ige_dog_epith: 'e2:dog epithelium,hundeepithel,epitelio de perro,epitelio di cane,épithélium de chien',
  ige_horse_dander: 'e3:horse dander,horse,pferdeschuppen,pferd,cheval,caballo,cavallo,cavalo,paard,häst,koń',
  ige_d_pteronyss:
    'd1:d. pteronyssinus,d pteronyssinus,dermatophagoides pteronyssinus,hausstaubmilbe (d. pteronyssinus),hausstaubmilbe,acariens (d. pteronyssinus),acariens,huisstofmijt,ácaro d. pteronyssinus,kvalster d. pteronyssinus,roztocze d. pteronyssinus',
  ige_d_farinae:
    'd2:d. farinae,d farinae,dermatophagoides farinae,hausstaubmilbe (d. farinae),acariens (d. farinae),mehlmilbe',
  ige_a_alternata: 'm6:alternaria alternata,alternaria',
  ige_c_herbarum: 'm2:cladosporium herbarum,cladosporium',
  ige_a_fumigatus: 'm3:aspergillus fumigatus',
  ige_timothy:
    'g6:timothy grass,timothy,phleum pratense,gramíneas: phleum pratense,lieschgras,wiesenlieschgras,phléole,phléole des prés,fléole,fleo,coda di topo,timotej,timoteegras,tymotka łąkowa,timotei,engrottehale',
  ige_bermuda_grass: 'g2:bermuda grass,cynodon dactylon',
  ige_per_rye_grass: 'g5:rye grass,perennial rye grass,lolium perenne,weidelgras,ray-grass',
  ige_silver_birch:
    't3:birch,silver birch,common silver birch,birke,bouleau,abedul,betulla,bétula,berk,björk,brzoza,bjørk,birk',
  ige_mugwort: 'w6:mugwort,beifuß,beifuss,armoise,artemisia,assenzio selvatico,bijvoet,gråbo,bylica,burot,gråbynke',
  ige_common_ragweed: 'w1:common ragweed,ragweed,ambrosia,ambrosie,ambroisie',
  ige_engl_plantain: 'w9:english plantain,plantain,spitzwegerich,plantago,llantén,piantaggine,weegbree',
  ige_honey_bee: 'i1:honey bee,honey bee venom,bienengift,biene,abeille,abeja,ape,abelha,honingbij,bi,pszczoła',
  ige_yellow_jacket: 'i3:yellow jacket,common wasp,wespengift,wespe,guêpe,avispa,vespa,wesp,geting,osa',
}
const byCode = new Map<string, { id: string; names: Set<string> }>()
for (const [id, text] of Object.entries(allergens)) {
  const at = text.indexOf(':')
  const names = text.slice(at + 1).split(',')
  byCode.set(text.slice(0, at), { id, names: new Set(names.map(normaliseName)) })
}

/** Names that without a code may be of another plant, another part of it or another animal: flour or pollen of wheat, any nut, any mite. */
const needsCode = new Set(
  'ige_wheat ige_rye ige_walnut ige_almond ige_dog_dander ige_dog_epith ige_horse_dander ige_d_pteronyss ige_d_farinae ige_yellow_jacket ige_engl_plantain ige_per_rye_grass'.split(
    ' ',
  ),
)
/** Of which mite, the name of its species says. */
const ofSpecies = /pteronyssinus|farinae/
const byName = new Map<string, string | undefined>()
for (const { id, names } of byCode.values())
  for (const name of names)
    if (!needsCode.has(id) || ofSpecies.test(name)) byName.set(name, byName.has(name) ? undefined : id)

/** "IgE específica frente a cacahuete", "Erdnuss-IgE". */
const against = /^(?:anti|gegen|frente a|contra|contre|verso|per|mot|tegen|till|for|para) /
/** Antibodies of other classes, and shares of them. */
const ofOthers = /(?<!\p{L})(?:ig[agm]4?|ratio|index|class|klasse|clase|classe|rast)(?!\p{L})/iu

/** "t3   Birke", "Chat e1", "S-Björk (t3) IgE-ak", "Timothy Grass (G6) IgE". */
const code = /(?<![\p{L}\p{N}])([defgimtw]\d{1,3})(?![\p{L}\p{N}])/iu
const neutral =
  /(?<!\p{L})(?:^S-|spezifisch(?:es)?|specific(?:[aoi]|he)?|específic[ao]|spécifiques?|specifiek|specifikt|ige|ige-ak|ak|antikroppar|ac|anticorps|anticuerpos|allergen)(?!\p{L})/giu

/**
 * An allergen, where its name and its code agree, or its name alone beside "IgE"; a code or a name of a plant or an animal alone may be
 * anything.
 */
export function matchAllergen(catalogue: readonly Biomarker[], name: string): Biomarker | undefined {
  const found = code.exec(name)?.[1]?.toLowerCase()
  if (!found && /(?<!\p{L})ige(?!\p{L})/iu.test(name) && !ofOthers.test(name)) {
    const said = normaliseName(name.replace(neutral, ' ')).replace(against, '')
    const id = byName.get(said)
    return id === undefined ? undefined : catalogue.find((one) => one.id === id)
  }
  const known = found && byCode.get(found)
  if (!known) return undefined
  const rest = normaliseName(name.replace(code, ' ').replace(/^S-/, ' ').replace(neutral, ' '))
  return known.names.has(rest) ? catalogue.find(({ id }) => id === known.id) : undefined
}

/** kU/L from which each class begins. */
const classes = [0.35, 0.7, 3.5, 17.5, 50, 100]
const classOf = (value: number) => classes.filter((from) => value >= from).length

/** Whether a class of IgE is another one than that of its value, beside a limit either; some call 0.1 to 0.35 "0/1". */
export const isOtherClass = (said: string, value: number): boolean =>
  /^[0-6]$/.test(said) &&
  ![0.99, 1.01].some((part) => classOf(value * part) === Number(said)) &&
  !(said === '1' && value >= 0.1 && value < 0.35)
