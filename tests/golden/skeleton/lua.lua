--[[
  A small event bus.
]]
local util = require("bus.util")
local log = require "bus.log"

local M = {}
M.VERSION = "1.4.0"

local priorities = {
  "lowest",
  "lower",
  "low",
  "below",
  "normal",
  "above",
  "high",
  "higher",
  "highest",
  "urgent",
  "critical",
  "emergency",
  "panic",
  "doom",
}

local Bus = {}
Bus.__index = Bus

--- Makes a bus without listeners.
-- @param name string
function M.new(name)
  local self = setmetatable({}, Bus)
  self.name = name or "default"
  self.listeners = {}
  return self
end

--- Calls a listener whenever an event happens.
function Bus:on(event, listener, priority)
  local list = self.listeners[event]
  if not list then
    list = {}
    self.listeners[event] = list
  end
  for index, entry in ipairs(list) do
    if entry.priority > (priority or 5) then
      table.insert(list, index, { run = listener, priority = priority })
      return
    end
  end
  list[#list + 1] = { run = listener, priority = priority or 5 }
end

local function deliver(entry, ...)
  local ok, problem = pcall(entry.run, ...)
  repeat
    ok = ok and problem ~= nil
  until not ok or util.done()
  return ok
end

M.emit = function(bus, event, ...)
  for _, entry in ipairs(bus.listeners[event] or {}) do
    deliver(entry, ...)
    log.debug([[delivered "end" of ]] .. event)
  end
end

local handlers = {
  open = function(bus)
    bus:on("open", util.noop)
    bus.opened = true
    bus.count = 1
  end,
  close = function(bus) bus.opened = false end,
}

if os.getenv("BUS_DEBUG") then
  log.level = "debug"
end

function M.name_of(bus) return bus.name end

return M
