pip install marchland
export MARCHLAND_TOKEN={token}
{build}
marchland join {origin} {place} --bot {bot}
