terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

variable "region" {
  type        = string
  default     = "eu-central-1"
  description = "Where everything runs"
}

locals {
  name = "shop-${terraform.workspace}"
  tags = {
    Name  = local.name
    Owner = "team {web}" # a brace in a string
  }
}

/* The network that everything is in. */
module "network" {
  source = "./modules/network"
  cidr   = "10.0.0.0/16"
  zones  = ["a", "b", "c"]
}

# Serves the shop.
resource "aws_instance" "web" {
  count         = var.instances
  ami           = data.aws_ami.debian.id
  instance_type = lookup(var.types, "${var.region}-${count.index}", "t3.small")

  user_data = <<-EOT
    #!/bin/sh
    echo "${local.name} }"
  EOT

  lifecycle {
    create_before_destroy = true
  }
}

data "aws_ami" "debian" {
  most_recent = true
  owners      = ["136693071363"]

  filter {
    name   = "name"
    values = ["debian-12-*"]
  }
}

output "address" {
  value = aws_instance.web[*].public_ip
}
