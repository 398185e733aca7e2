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
  -- ... (11 lines)
}

local Bus = {}
Bus.__index = Bus

--- Makes a bus without listeners.
-- @param name string
function M.new(name)
  -- ... (4 lines)
end

--- Calls a listener whenever an event happens.
function Bus:on(event, listener, priority)
  -- ... (12 lines)
end

local function deliver(entry, ...)
  -- ... (5 lines)
end

M.emit = function(bus, event, ...)
  -- ... (4 lines)
end

local handlers = {
  open = function(bus)
    -- ... (3 lines)
  end,
  close = function(bus) bus.opened = false end,
}

if os.getenv("BUS_DEBUG") then
  log.level = "debug"
end

function M.name_of(bus) return bus.name end

return M
