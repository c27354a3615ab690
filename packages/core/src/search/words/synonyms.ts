import { stem } from "./stem.ts";

/** Stems that may replace a stem: "delet" → "remov", "eras" … A word may be in several groups; their members do not mix. */
export function synonymsOf(stemmed: string): readonly string[] {
  return (byStem ??= readGroups()).get(stemmed) ?? none;
}

/** The share of a word's weight that its synonyms have. */
export const synonymShare = 0.4;

const none: readonly string[] = [];
let byStem: ReadonlyMap<string, readonly string[]> | undefined;

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const line of groups.trim().split("\n")) {
    const stems = new Set(line.split(" ").map(stem));
    for (const one of stems) {
      const others = found.get(one) ?? new Set();
      for (const other of stems) if (other !== one) others.add(other);
      found.set(one, others);
    }
  }
  return new Map([...found].map(([one, others]) => [one, [...others]]));
}

/** Words that mean the same when people ask for tools, one group in each line. */
const groups = `
delete remove erase discard clear purge drop
get fetch retrieve obtain read load lookup
find search locate lookup discover query
create make generate build produce add new
add insert append attach
update modify change edit alter adjust revise
send deliver post submit dispatch transmit
show display view present
list enumerate
cancel abort revoke
start begin launch run execute initiate
stop halt terminate end
calculate compute determine evaluate estimate work
convert transform translate change
check verify validate confirm test inspect
schedule book reserve plan arrange appointment reservation
booking reservation reserve book
buy purchase order shop
pay payment purchase transfer
compare comparison versus difference
summarize summary summarise digest overview
analyze analyse analysis examine evaluate
recommend suggest recommendation suggestion advise
predict forecast prediction projection estimate
monitor track watch observe
explain describe define
meaning definition define dictionary
download save export
upload import
play listen stream
rent lease hire rental
register signup enroll registration
login signin authenticate authentication credential password token
image picture photo photograph pic
video clip footage
movie film cinema
music song track tune
email mail message inbox
message text sms chat
phone telephone mobile call
car vehicle automobile auto
taxi cab ride uber rideshare
flight plane airline airplane fly
train rail railway
hotel accommodation lodging hostel motel stay
house home apartment flat property condo estate
restaurant dining eatery diner food
food meal dish cuisine recipe
recipe cook cooking ingredient
diet nutrition calorie meal
doctor physician medical clinic
illness disease symptom sick condition
medicine drug medication pharmaceutical
health fitness wellness
exercise workout fitness gym training
weather temperature forecast rain climate
money currency cash fund
price cost fee rate quote
stock share equity ticker
invest investment portfolio
company business firm corporation organization enterprise
job career employment vacancy position
resume cv
employee worker staff personnel
customer client buyer
product item goods merchandise
gift present
shop store retailer market
discount coupon deal promo sale
news headline article
article paper publication study research
book novel reading literature
author writer
website site webpage url web page link
internet web online
computer pc laptop desktop
file document doc
folder directory
code program script software source
bug error issue defect
repository repo git github
database db table sql
map location place geography
location place address position coordinates
distance mile kilometer
nearby near closest nearest around
direction route path navigation
trip travel journey vacation holiday tour tourism
attraction sightseeing landmark
event concert show festival
ticket pass admission
game match play
sport football soccer basketball baseball
team club squad
score result standing
joke funny humor humour
quote match quotation
language linguistic tongue
translate translation translator
word vocabulary term
grammar spelling writing
learn study course lesson tutorial education
teacher tutor instructor
student pupil learner
school university college
exam test quiz
law legal attorney lawyer lawsuit
tax taxation
insurance policy coverage
loan mortgage credit
bank banking account
password credential pin
user account member profile
friend contact
calendar schedule agenda event
reminder alarm notification alert
meeting conference call
task todo
note memo jot
date day today calendar
time clock hour timezone
history historical past
random arbitrary chance
number integer digit numeric
sum total add
average mean
chart graph plot diagram visualization
color colour
size dimension
picture drawing illustration art artwork painting
logo brand
font typeface
voice speech audio sound
speak talk speech conversation
transcribe transcription transcript
horoscope zodiac astrology astrological
star planet space astronomy
dog cat pet animal
plant flower garden
baby child kid children
fashion clothing clothes apparel outfit wear
shoe sneaker footwear
ad advertisement advertising ads marketing
seo keyword ranking
social media facebook instagram twitter tweet
crypto cryptocurrency bitcoin blockchain token
package parcel shipment shipping delivery
track tracking trace
zip postal postcode
ip address network
malware virus malicious threat
hack security vulnerability cybersecurity
encrypt encryption cipher
decrypt decode
compress zip archive
extract parse scrape
ocr scan
pdf document
spreadsheet excel sheet
server host machine
deploy deployment release
log record journal
statistic stat metric analytics
feedback review rating opinion
rating score star
vote poll survey
donate charity donation
population census demographic
country nation
city town
latitude longitude coordinate geocode
earthquake disaster
pollution air quality
energy electricity power
water river ocean
wine beer drink beverage cocktail
coffee tea
podcast episode show
tv television series show
actor cast star
lyric lyrics song
artist singer musician band
temperature celsius fahrenheit
`;
