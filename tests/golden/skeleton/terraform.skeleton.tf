terraform {
  # ... (8 lines)
}

variable "region" {
  # ... (3 lines)
}

locals {
  # ... (5 lines)
}

/* The network that everything is in. */
module "network" {
  # ... (3 lines)
}

# Serves the shop.
resource "aws_instance" "web" {
  # ... (12 lines)
}

data "aws_ami" "debian" {
  # ... (7 lines)
}

output "address" {
  value = aws_instance.web[*].public_ip
}
